"""The MCP server: tools by subject, resources, prompts, framing."""
