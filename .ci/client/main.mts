// Uses the types that openapi-typescript makes from the description against a running server (its address is the first argument)
// with the key in $KEY. The compiler is the test as much as the server is.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const client = createClient<paths>({ baseUrl: process.argv[2], headers: { "X-Api-Key": process.env.KEY } });

// want ends the program unless what it is told is so.
function want(so: boolean, what: string, got: unknown): asserts so {
  if (!so) throw new Error(`${what}: got ${JSON.stringify(got)}`);
}

const before = await client.GET("/api/v1/accounts");
want(before.data !== undefined, "accounts", before.error);

const opened = await client.POST("/api/v1/accounts", { body: { account: { name: "TypeScript", account_type: "depository" } } });
want(opened.data?.classification === "asset", "opened account", opened.error);
const after = await client.GET("/api/v1/accounts");
want(after.data?.accounts.length === before.data.accounts.length + 1, "one account more", after.data);

const fields = { account_id: opened.data.id, date: "2026-05-04", name: "Bread" };
const booked = await client.POST("/api/v1/transactions", { body: { transaction: { ...fields, amount: 3.2 } } });
want(booked.data?.signed_amount_cents === -320 && booked.data.category === null, "booked transaction", booked.error);
const path = { id: booked.data.id };
const got = await client.GET("/api/v1/transactions/{id}", { params: { path } });
want(got.data?.name === "Bread" && got.data.date === "2026-05-04", "the same transaction", got.error);

const wrong = await client.POST("/api/v1/transactions", { body: { transaction: { ...fields, amount: "3.205" } } });
want(wrong.response.status === 422 && wrong.error?.errors?.length === 1, "a refused amount", wrong.error);
const none = await client.GET("/api/v1/transactions/{id}", { params: { path: { id: "01a1fd73-b00a-78e6-8647-f5e02a592a7a" } } });
want(none.response.status === 404 && none.error?.error === "not_found", "an unknown transaction", none.error);
console.log("the TypeScript client works");
