// Asks a server (argument 1) and the command (argument 2, with the arguments behind it) by the Model Context Protocol, as
// desktop programs do: the library checks every message against the protocol's schema.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [address, program, ...args] = process.argv.slice(2);

async function ask(transport) {
  const client = new Client({ name: "check", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert(tools.some((tool) => tool.name === "get_accounts"), "no get_accounts among the tools");
  const accounts = await client.callTool({ name: "get_accounts", arguments: {} });
  assert(!accounts.isError && JSON.parse(accounts.content[0].text).total_results >= 0, "accounts: " + JSON.stringify(accounts));
  const wrong = await client.callTool({ name: "get_transactions", arguments: { start_date: "soon" } });
  assert(wrong.isError, "a date that is none is taken");
  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources[0].uri });
  assert.equal(read.contents[0].mimeType, "application/json");
  const { prompts } = await client.listPrompts();
  const prompt = await client.getPrompt({ name: prompts[0].name, arguments: { [prompts[0].arguments?.[0]?.name ?? "x"]: "2026-01" } });
  assert.equal(prompt.messages[0].role, "user");
  await client.close();
  return tools.length;
}

const http = new StreamableHTTPClientTransport(new URL(address + "/mcp"), { requestInit: { headers: { "X-Api-Key": process.env.KEY } } });
const stdio = new StdioClientTransport({ command: program, args, env: process.env });
console.log("tools over HTTP:", await ask(http), "and on standard input:", await ask(stdio));
