// Asks a server (argument 1) and the command (argument 2, with the arguments behind it) by the Model Context Protocol, as
// desktop programs do: the library checks every message against the protocol's schema.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [address, program, ...args] = process.argv.slice(2);

async function ask(transport, writes) {
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
  assert.equal(tools.some((tool) => !tool.annotations.readOnlyHint), writes, "what it may do");
  if (writes) await write(client);
  await client.close();
  return tools.length;
}

// write imports a file after it was shown, and changes what it booked.
async function write(client) {
  const call = async (name, args, options) => {
    const answer = await client.callTool({ name, arguments: args }, undefined, options);
    return { failed: !!answer.isError, ...JSON.parse(answer.content[0].text) };
  };
  const file = { content: "Date,Payee,Amount\n2026-01-30,Kiosk,-3.20\n2026-01-31,Kiosk,-4.10\n", account: "Giro" };
  const shown = await call("import_transactions", file);
  assert.equal(shown.would_be_booked, 2, JSON.stringify(shown));
  const booked = await call("import_transactions", { ...file, dry_run: false, plan: shown.plan }, { onprogress: () => {} });
  assert.equal(booked.booked, 2, JSON.stringify(booked));
  const wrong = await call("edit_transactions", { where: 3, notes: "x" });
  assert(wrong.failed && wrong.error === "where must be a text, got 3", JSON.stringify(wrong));
  const preview = await call("edit_transactions", { where: "kiosk", notes: "snack" });
  assert.equal(preview.matched, 2, JSON.stringify(preview));
  const edit = { where: "kiosk", notes: "snack", dry_run: false };
  assert((await call("edit_transactions", { ...edit, expected_count: 1 })).failed, "more was changed than was shown");
  const edited = await call("edit_transactions", { ...edit, expected_count: 2 });
  assert.equal(edited.changed, 2, JSON.stringify(edited));
  assert(!(await call("undo_change", { change_id: edited.change_id })).failed, "it is not taken back");
}

const http = new StreamableHTTPClientTransport(new URL(address + "/mcp"), { requestInit: { headers: { "X-Api-Key": process.env.KEY } } });
const stdio = new StdioClientTransport({ command: program, args, env: process.env });
console.log("tools over HTTP:", await ask(http, false), "and on standard input:", await ask(stdio, true));
