"""Checks modelDescription.xml of the FMU by the rules of FMI 3.0 (elements, attributes, their order and values; references, units
and structure), and prints its variables for the importer: fmu_check.py XML [--itself]

The first line is the token, each other one "TYPE CAUSALITY REFERENCE NAME"."""
import re
import sys
import xml.etree.ElementTree as ET

NUMBER = r'[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?'
BOOLEAN, WHOLE, TEXT, WORD = 'true|false', r'[-+]?\d+', r'[^\n]*', r'[^\s][^\n]*'
NAME = r"([A-Za-z_]\w*|'[^']+')(\.([A-Za-z_]\w*|'[^']+'))*"
EXPONENTS = {name: WHOLE for name in 'kg m s A K mol cd rad'.split()}
VARIABLE = {'name!': NAME, 'valueReference!': r'\d+', 'causality': 'input|output|parameter|independent', 'description': TEXT,
            'variability': 'fixed|discrete|continuous'}
# Of each element: its attributes ("!": required), and its children in their order.
ELEMENTS = {
    'fmiModelDescription': ({'fmiVersion!': r'3\.0(\.\d+)?', 'modelName!': WORD, 'instantiationToken!': WORD, 'description': TEXT,
                             'version': WORD, 'license': TEXT, 'generationTool': WORD, 'variableNamingConvention': 'structured'},
                            'CoSimulation UnitDefinitions LogCategories DefaultExperiment ModelVariables ModelStructure'),
    'CoSimulation': ({'modelIdentifier!': r'[A-Za-z_]\w*', 'fixedInternalStepSize': NUMBER, 'maxOutputDerivativeOrder': r'\d+',
                      **{name: BOOLEAN for name in '''needsExecutionTool canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUState
                         canSerializeFMUState canHandleVariableCommunicationStepSize providesIntermediateUpdate
                         mightReturnEarlyFromDoStep hasEventMode'''.split()}}, ''),
    'UnitDefinitions': ({}, 'Unit+'),
    'Unit': ({'name!': WORD}, 'BaseUnit DisplayUnit?'),
    'BaseUnit': ({**EXPONENTS, 'factor': NUMBER, 'offset': NUMBER}, ''),
    'DisplayUnit': ({'name!': WORD, 'factor': NUMBER, 'offset': NUMBER}, ''),
    'LogCategories': ({}, 'Category+'),
    'Category': ({'name!': WORD, 'description': TEXT}, ''),
    'DefaultExperiment': ({'startTime': NUMBER, 'stopTime': NUMBER, 'stepSize': NUMBER}, ''),
    'ModelVariables': ({}, '(Float64|Int64)+'),
    'Float64': ({**VARIABLE, 'unit': WORD, 'min': NUMBER, 'max': NUMBER, 'start': NUMBER}, ''),
    'Int64': ({**VARIABLE, 'min': WHOLE, 'max': WHOLE, 'start': WHOLE}, ''),
    'ModelStructure': ({}, 'Output+ InitialUnknown+'),
    'Output': ({'valueReference!': r'\d+', 'dependencies': r'(\d+( \d+)*)?'}, ''),
    'InitialUnknown': ({'valueReference!': r'\d+', 'dependencies': r'(\d+( \d+)*)?'}, ''),
}


def element_faults(element):
    """Faults of an element and all below it."""
    if element.tag not in ELEMENTS:
        yield f'{element.tag}: no such element'
        return
    rules, children = ELEMENTS[element.tag]
    known = {key.rstrip('!'): rule for key, rule in rules.items()}
    for key, value in element.attrib.items():
        if key not in known:
            yield f'{element.tag}: no attribute {key}'
        elif not re.fullmatch(known[key], value):
            yield f'{element.tag}: {key}="{value}"'
    for key in rules:
        if key.endswith('!') and key[:-1] not in element.attrib:
            yield f'{element.tag}: {key[:-1]} is missing'
    pattern = ''.join(re.sub(r'^(.*?)([+?]?)$', r'(?:(?:\1) )\2', child) for child in children.split())
    if not re.fullmatch(pattern, ''.join(child.tag + ' ' for child in element)):
        yield f'{element.tag}: children are {[child.tag for child in element][:8]}, wanted {children or "none"}'
    for child in element:
        yield from element_faults(child)


def variable_faults(root):
    """Faults that elements do not have alone: references, names, units, ranges, structure."""
    variables = list(root.find('ModelVariables'))
    references = [variable.get('valueReference') for variable in variables]
    names = [variable.get('name') for variable in variables]
    units = [unit.get('name') for unit in root.iter('Unit')]
    for what, values in (('references', references), ('names', names), ('units', units)):
        if len(values) != len(set(values)):
            yield f'{what} are not unique'
    for variable in variables:
        name, causality = variable.get('name'), variable.get('causality')
        if variable.get('unit') is not None and variable.get('unit') not in units:
            yield f'{name}: no unit {variable.get("unit")}'
        low, high = float(variable.get('min', '-inf')), float(variable.get('max', 'inf'))
        if not low <= float(variable.get('start', max(low, min(high, 0.0)))) <= high:
            yield f'{name}: start or limits'
        if (causality in ('input', 'parameter')) != ('start' in variable.attrib):
            yield f'{name}: a start where none is, or none where one is asked for'
    outputs = [v.get('valueReference') for v in variables if v.get('causality') == 'output']
    knowns = [v.get('valueReference') for v in variables if v.get('causality') in ('input', 'parameter', 'independent')]
    for tag in ('Output', 'InitialUnknown'):
        if [element.get('valueReference') for element in root.iter(tag)] != outputs:
            yield f'{tag}: not the outputs in their order'
        for element in root.iter(tag):
            if not set(element.get('dependencies', '').split()) <= set(knowns):
                yield f'{tag}: dependencies {element.get("dependencies")}'
    if [v.get('name') for v in variables if v.get('causality') == 'independent'] != ['time']:
        yield 'time is not the one independent variable'


def faults(text):
    root = ET.fromstring(text)
    return list(element_faults(root)) or list(variable_faults(root))


def check_itself(text):
    """The checker must see each of these faults."""
    for old, new in (('hasEventMode=', 'hasEventModus='), ('"3.0"', '"2.0"'), ('<LogCategories>', '<LogCategories><X/>'),
                     ('name="lever.boom"', 'name="lever.stick"'), ('valueReference="100"', 'valueReference="101"'),
                     ('unit="rad/s"', 'unit="rev/s"'), ('start="0"', ''), ('min="-1"', 'min="2"'), ('Output ', 'Outputs '),
                     ('dependencies="1"', 'dependencies="1000"'), (' instantiationToken=', ' guid=')):
        if old not in text or not faults(text.replace(old, new, 1)):
            sys.exit(f'fmu_check.py itself is broken: it does not see {new}')


text = open(sys.argv[1], encoding='utf-8').read()
found = faults(text)
if found:
    sys.exit('\n'.join(found[:10]))
if '--itself' in sys.argv:
    check_itself(text)
tree = ET.fromstring(text)
print(tree.get('instantiationToken'))
for element in tree.find('ModelVariables'):
    print(element.tag, element.get('causality'), element.get('valueReference'), element.get('name'))
