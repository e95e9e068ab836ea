"""The plugin that OpenCode loads; it asks by `hook opencode …`."""
