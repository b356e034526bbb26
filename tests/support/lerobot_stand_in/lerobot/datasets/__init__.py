"""Stands in for the package lerobot in tests/e2e/to_lerobot.sh: takes what the published one takes and refuses what it refuses."""
