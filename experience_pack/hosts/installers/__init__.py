"""Installers: what goes into a host's own settings, and comes out again to the byte."""
