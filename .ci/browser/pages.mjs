// Looks at every page of a server in a real browser, light and dark, wide and narrow, and works on the books by the
// keyboard alone. It wants: nothing that axe finds, no error on the console, no request to elsewhere, nothing wider than
// the screen. Pictures of the pages go to the folder of FINSVC_PICTURES, if that is set. It
// prints what a first visit asks for and how fast pages are on a slow machine. With the program named as well, it sets an
// empty file up.
//
//   node pages.mjs LINK [PROGRAM]      a link that signs in, once
import puppeteer from "puppeteer-core";
import { readFileSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
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
const paths = [...labels, "/rules", "/chats", chat, "/", "/transactions", "/transactions?q=%40nowhere", transaction, transaction + "/split", "/transactions/new", "/accounts", account,
	account + "/merge", account + "/delete", valuation, "/holdings", "/holdings?by=currency", security, "/trades", trade, "/trades/new",
	account + "/edit", "/accounts/new", "/imports", imported, "/sort", "/history", operation, "/more", "/settings", "/settings/you", "/settings/keys", "/settings/household", "/settings/people", "/settings/export", "/settings/backup", "/settings/doctor",
	"/explain?figure=net_worth", "/explain?figure=balance&account_id=" + account.split("/").pop(), "/explain?figure=expenses&month=" + new Date().toISOString().slice(0, 7)];
const client = await page.createCDPSession();
// Both schemes and both layouts; for pictures also the other two.
const looks = process.env.FINSVC_PICTURES ? [[1280, "light"], [1280, "dark"], [390, "light"], [320, "dark"]] : [[1280, "light"], [320, "dark"]];
for (const [width, scheme] of looks) {
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

// A rule is typed, looked at and saved by the keyboard.
await open("/rules");
await page.keyboard.press("n");
await page.keyboard.type('name contains "by the keyboard" -> name "Typed"');
await page.focus("button[name=do][value=try]");
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
await says("What it would change");
await page.focus("form.narrow button:not([name])");
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
await says("added 1 rule");
await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());

// Amounts are hidden by a key, and then in no page.
await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
await Promise.all([page.waitForNavigation(), page.keyboard.press("p")]);
await open("/");
assert.match(await text(), /•••/);
assert.doesNotMatch(await page.content(), /€\s?\d/);

// A search goes on to a name: by keys, in the list below its field.
await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
await open("/transactions");
await page.focus("#q");
await page.keyboard.type("cat:gro");
await page.waitForFunction(() => /** @type {HTMLElement | null} */ (document.querySelector(".words [role=option]"))?.dataset.text?.startsWith("cat:Gro"));
await page.waitForNetworkIdle();
await page.keyboard.press("ArrowDown");
assert.equal(await page.$eval("#q", (e) => e.getAttribute("aria-activedescendant")), "word-0");
await page.keyboard.press("Enter");
assert.match(await page.$eval("#q", (e) => /** @type {HTMLInputElement} */ (e).value), /^cat:Gro\S+ $|^cat:"Gro[^"]+" $/);
assert.equal(await page.$(".words"), null);

// A name that was booked before fills in its category.
await open("/transactions/new");
await page.focus("#name");
await page.keyboard.type(await page.$eval("#past-names option", (o) => o.value));
await page.keyboard.press("Tab");
await page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.querySelector("#category")).value !== "", { timeout: 10_000 });

// A file comes in, is published with its progress in sight, and is taken back; then the same without JavaScript.
const file = join(mkdtempSync(join(tmpdir(), "finsvc-browser-")), "bank.csv");
const day = (n) => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10);
const rows = (mark) => writeFileSync(file, "date,name,amount\n" + [...Array(300).keys()].map((i) => `${day(i % 60)},${mark} ${i},-${i + 1}.25\n`).join(""));
const press = async (p, label) => {
	const button = await p.waitForSelector(`xpath///main//button[normalize-space()="${label}"]`, { timeout: 20_000 });
	await Promise.all([p.waitForNavigation(), button.click()]);
};
const bring = async (p, mark) => {
	rows(mark);
	await p.goto(base + "/imports");
	await p.select("#account", await p.$eval("#account option:nth-child(2)", (o) => o.value));
	await (await p.$("#file")).uploadFile(file);
	await press(p, "Read the file");
	await until(p, "form[action$='/publish']");
	assert.match(await p.$eval("main", (e) => e.innerText), /300 new/);
	await press(p, "Publish");
	await until(p, "form[action$='/revert']");
	await press(p, "Undo this import");
	await until(p, "form[action$='/publish']");
};
/** Waits for what an import comes to: with JavaScript the page comes anew by itself. */
const until = async (p, selector) => {
	if (p.isJavaScriptEnabled()) return p.waitForSelector(selector, { timeout: 20_000 });
	for (let i = 0; !(await p.$(selector)); i++) {
		assert.ok(i < 80, `${selector} does not come: ${p.url()}`);
		await new Promise((done) => setTimeout(done, 250));
		await p.goto(p.url());
	}
};
at = "an import";
await bring(page, "Seen");

const plain = await browser.newPage();
await plain.setViewport({ width: 1280, height: 900 });
await plain.setJavaScriptEnabled(false);
await bring(plain, "Plain");
await plain.goto(base + "/transactions");
await Promise.all([plain.waitForNavigation(), plain.click("a[data-open]")]);
await plain.type("#name", " by hand");
await press(plain, "Save");
assert.match(await plain.content(), /changed 1 transaction/);
await press(plain, "Undo");
await plain.goto(base + "/transactions/words?q=cat:gro");
assert.match(await plain.content(), /cat:Gro/);

// What another page posts is refused, and a cookie opens no API.
const cookie = (await page.cookies()).map((c) => `${c.name}=${c.value}`).join("; ");
const forged = (origin) => fetch(base + "/hide", { method: "POST", redirect: "manual", body: new URLSearchParams({ hide: "false" }),
	headers: { Cookie: cookie, ...origin } });
assert.equal((await forged({ Origin: "https://elsewhere.example" })).status, 403);
assert.equal((await forged({ "Sec-Fetch-Site": "cross-site" })).status, 403);
assert.equal((await forged({ Origin: base })).status, 303);
assert.equal((await fetch(base + "/api/v1/accounts", { headers: { Cookie: cookie } })).status, 401);

// What a first visit asks for, and the next page.
const fresh = await browser.newPage();
await fresh.setViewport({ width: 1280, height: 900 });
const network = await fresh.createCDPSession();
await network.send("Network.enable");
await network.send("Network.clearBrowserCache");
let requests = 0, bytes = 0;
const cached = new Set();
network.on("Network.requestServedFromCache", (e) => cached.add(e.requestId));
network.on("Network.responseReceived", (e) => { if (e.response.fromDiskCache) cached.add(e.requestId); });
network.on("Network.loadingFinished", (e) => { if (!cached.has(e.requestId)) requests++, bytes += e.encodedDataLength; });
const visitTo = async (path) => {
	requests = bytes = 0;
	await fresh.goto(base + path, { waitUntil: "networkidle0" });
	console.log(`${path}: ${requests} requests, ${(bytes / 1000).toFixed(1)} kB`);
	return { requests, bytes };
};
const first = await visitTo("/"), second = await visitTo("/accounts");
assert.ok(first.requests <= 8 && first.bytes <= 90_000, "a first visit asks for too much");
assert.ok(second.requests <= 1 && second.bytes <= 20_000, "the next page asks for too much");

// How fast it is on a machine six times as slow, and what moves: only said, as it depends on the machine.
await network.send("Emulation.setCPUThrottlingRate", { rate: 6 });
await fresh.evaluateOnNewDocument(() => {
	window["moved"] = 0;
	new PerformanceObserver((list) => { for (const e of list.getEntries()) window["moved"] += e["value"]; }).observe({ type: "layout-shift", buffered: true });
});
for (const path of ["/", "/transactions", account]) {
	await fresh.goto(base + path, { waitUntil: "networkidle0" });
	const seen = await fresh.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0, window["moved"]]);
	console.log(`${path.replace(/[0-9a-f-]{36}/, "ID")}, six times slower: first paint after ${Math.round(seen[0])} ms, layout shift ${seen[1].toFixed(3)}`);
}

await plain.close();
await fresh.close();
await page.bringToFront();

// Colours of gains: each choice is in force on the next page, and is another colour.
const colours = new Set();
for (const gains of ["green-red", "red-green", "ink", "blue-rust"]) {
	await open("/settings/you");
	await page.select("#gains", gains);
	await press(page, "Save");
	await open("/transactions?q=is%3Aincome");
	colours.add(await page.$eval("tr[data-row]:not(.moved) .money.in", (e) => getComputedStyle(e).color));
}
assert.equal(colours.size, 4);


// An empty file: set up with a password, sign out, sign in again, all without JavaScript.
if (process.argv[3]) {
	const folder = mkdtempSync(join(tmpdir(), "finsvc-browser-"));
	const { FINSVC_PICTURES: _, ...env } = process.env; // which means nothing to the program
	const server = spawn(process.argv[3], ["serve", "--data", join(folder, "finance.db"), "--listen", "127.0.0.1:0", "--log", "json"],
		{ env, stdio: ["ignore", "ignore", "pipe"] });
	try {
		const [address, code] = await new Promise((found, failed) => {
			let said = "";
			server.stderr.on("data", (piece) => {
				said += piece;
				const where = said.match(/"addr":"(127\.0\.0\.1:\d+)"/), what = said.match(/"code":"([0-9A-Z-]+)"/);
				if (where && what) found([where[1], what[1]]);
			});
			server.on("exit", () => failed(new Error(said)));
		});
		const site = "http://" + address, context = await browser.createBrowserContext(), p = await context.newPage();
		await p.setViewport({ width: 1280, height: 900 });
		await p.setJavaScriptEnabled(false);
		await p.goto(site + "/");
		await p.type("#code", code);
		await press(p, "Continue");
		await press(p, "Continue");
		await p.type("#name", "ana@example.org");
		await p.type("#password", "a long walk home");
		await p.type("#again", "a long walk home");
		await press(p, "Open finsvc");
		assert.match(await p.$eval("main", (e) => e.innerText), /Net worth/);
		await p.goto(site + "/settings");
		await p.$eval(".person form[action$='/logout']", (form) => form.submit());
		await p.waitForNavigation().catch(() => {});
		await p.goto(site + "/accounts");
		await p.type("#name", "ana");
		await p.type("#password", "a long walk home");
		await press(p, "Sign in");
		assert.equal(new URL(p.url()).pathname, "/accounts");
		await p.goto(site + "/setup/restore");
		assert.doesNotMatch(await p.content(), /type="file"/);
	} finally {
		server.kill("SIGTERM");
	}
}

await browser.close();
assert.deepEqual(problems, []);
console.log(`${paths.length} pages are fine`);
