"""The script that Pi and OMP load; it asks by `hook pi …` and needs no build."""
