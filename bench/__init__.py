"""Benchmarks: measured by hand with make bench, never in tests."""
