// Looks at every page of a server in a real browser, light and dark, wide and narrow, and works on the books by the
// keyboard alone. It wants: nothing that axe finds, no error on the console, no request to elsewhere, nothing wider than
// the screen. Pictures of the pages go to the folder of FINSVC_PICTURES, if that is set.
//
//   node pages.mjs LINK      a link that signs in, once
import puppeteer from "puppeteer-core";
import { readFileSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import assert from "node:assert/strict";

const link = process.argv[2], base = new URL(link).origin;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({
	executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync), args: ["--no-sandbox"],
});
const problems = [];
const page = await browser.newPage();
let at = "";
page.on("console", (m) => { if (m.type() === "error") problems.push(`${at}: console: ${m.text()}`); });
page.on("pageerror", (e) => problems.push(`${at}: ${e.message}`));
page.on("request", (r) => { if (!r.url().startsWith(base) && !r.url().startsWith("data:")) problems.push(`${at}: asks ${r.url()}`); });

const open = async (path) => {
	at = path;
	await page.goto(base + path, { waitUntil: "load" });
};
const text = () => page.$eval("main", (e) => e.innerText);
/** Waits until the page says something. */
const says = (words) => page.waitForFunction((w) => document.querySelector("main")?.innerText.includes(w), { timeout: 10_000 }, words);

// Sign in by the link.
await page.goto(link);
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
await says("Net worth");

// Every page, as axe sees it.
await open("/transactions");
const transaction = await page.$eval("a[data-open]", (a) => new URL(a.href).pathname);
await open("/accounts");
const account = await page.$eval("main tbody a", (a) => new URL(a.href).pathname);
await open(account);
const valuation = await page.$eval("main a[href*='/valuations/']", (a) => new URL(a.href).pathname);
await open("/imports");
const imported = await page.$eval("main tbody a[href*='/imports/']", (a) => new URL(a.href).pathname);
await open("/history");
const operation = await page.$eval("main tbody a", (a) => new URL(a.href).pathname);
await open("/holdings");
const security = await page.$eval("main tbody th a", (a) => new URL(a.href).pathname);
await open("/trades");
const trade = await page.$eval("main tbody th a", (a) => new URL(a.href).pathname);
const labels = [];
for (const list of ["/categories", "/tags", "/merchants"]) {
	await open(list);
	labels.push(list, ...await page.$$eval("main tbody th a", (all) => all.slice(0, 1).map((a) => new URL(a.href).pathname)));
}
await open("/chats");
const chat = await page.$eval("main tbody th a", (a) => new URL(a.href).pathname);
const paths = [...labels, "/chats", chat, "/", "/transactions", "/transactions?q=%40nowhere", transaction, transaction + "/split", "/transactions/new", "/accounts", account,
	account + "/merge", account + "/delete", valuation, "/holdings", "/holdings?by=currency", security, "/trades", trade, "/trades/new",
	account + "/edit", "/accounts/new", "/imports", imported, "/sort", "/history", operation, "/more", "/settings", "/settings/you", "/settings/keys", "/settings/household", "/settings/people", "/settings/export", "/settings/backup", "/settings/doctor",
	"/explain?figure=net_worth", "/explain?figure=balance&account_id=" + account.split("/").pop(), "/explain?figure=expenses&month=" + new Date().toISOString().slice(0, 7)];
const client = await page.createCDPSession();
for (const [width, scheme] of [[1280, "light"], [1280, "dark"], [390, "light"], [320, "dark"]]) {
	await page.setViewport({ width, height: 900 });
	await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
	for (const path of paths) {
		await open(path);
		const run = await client.send("Runtime.evaluate", { awaitPromise: true, expression: axe +
			"; axe.run().then(r => JSON.stringify(r.violations.map(v => v.id + ' ' + v.nodes[0].html.slice(0, 160))))" });
		for (const violation of JSON.parse(run.result.value)) problems.push(`${path} (${width}, ${scheme}): ${violation}`);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		if (wide > 1) problems.push(`${path} (${width}): ${wide} pixels wider than the screen`);
		if (process.env.FINSVC_PICTURES)
			await page.screenshot({ fullPage: true, path: `${process.env.FINSVC_PICTURES}/${path.replace(/[^a-z]+/gi, "-").slice(0, 40)}-${width}-${scheme}.png` });
	}
}

// By the keyboard alone: a row opens in place, its name is changed, and that is taken back.
await page.setViewport({ width: 1280, height: 900 });
await open("/transactions");
const was = await page.$eval("a[data-open]", (a) => a.textContent);
await page.keyboard.press("j");
await page.keyboard.press("e");
await page.waitForSelector("tr.editing #name");
await page.focus("tr.editing #name");
await page.keyboard.down("Control");
await page.keyboard.press("a");
await page.keyboard.up("Control");
await page.keyboard.type("By the keyboard");
await page.keyboard.press("Enter");
await says("changed 1 transaction");
assert.match(await text(), /By the keyboard/);
await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
await Promise.all([page.waitForNavigation(), page.keyboard.press("u")]);
await says("took back");
assert.equal(await page.$eval("a[data-open]", (a) => a.textContent), was);

// Two rows are ticked by keys and given a tag together.
await page.keyboard.press("j");
await page.keyboard.press("x");
await page.keyboard.press("j");
await page.keyboard.press("x");
assert.equal(await page.$$eval("tr.chosen", (rows) => rows.length), 2);
await page.keyboard.press("t");
await page.keyboard.type("together");
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
await says("changed 2 transactions");

// A question is asked by the keyboard, and its answer comes into the page as it is written, without a reload.
await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
await page.keyboard.press("g");
await Promise.all([page.waitForNavigation(), page.keyboard.press("c")]);
await page.keyboard.press("n");
await page.keyboard.type("What is my net worth?");
await page.keyboard.press("Tab");
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
await page.evaluate(() => { /** @type {any} */ (window).same = true; });
await page.waitForFunction(() => document.querySelector(".answer .looks li") && !document.querySelector("#answer"), { timeout: 10_000 });
assert.equal(await page.evaluate(() => /** @type {any} */ (window).same), true);
assert.match(await text(), /looked at what there is and what is owed/);

// Amounts are hidden by a key, and then in no page.
await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
await Promise.all([page.waitForNavigation(), page.keyboard.press("p")]);
await open("/");
assert.match(await text(), /•••/);
assert.doesNotMatch(await page.content(), /€\s?\d/);

await browser.close();
assert.deepEqual(problems, []);
console.log(`${paths.length} pages are fine`);
