// HTML reports in a real browser. `scripts/browser-tests.sh` runs this; it names the tool by the
// variable ERLCONCOLIC and the browser by CHROMIUM. Screenshots are left in the folder REPORTS.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { INJECTION, makeReports } from "./reports.mjs";

const here = import.meta.dirname;
const tool = process.env.ERLCONCOLIC;
const folder = process.env.REPORTS;
const executablePath = process.env.CHROMIUM;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let reports;

before(async () => {
  assert.ok(tool && folder, "ERLCONCOLIC and REPORTS say what to test and where to write");
  reports = makeReports(tool, join(here, "../../samples"), folder);
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(() => browser?.close());

// Opens a report and hands over its page; nothing may be logged or loaded.
async function look(report, options, check) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => { if (request.url() !== report) complaints.push(`asks for ${request.url()}`); });
  page.on("dialog", (dialog) => { complaints.push(dialog.message()); dialog.dismiss(); });
  try {
    await page.goto(report);
    await check(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const rows = (page) => page.getByRole("treeitem");

test("findings are there, with input, stack and the decisions that lead there", () =>
  look(reports.small, {}, async (page) => {
    const finding = page.locator("article.finding");
    assert.equal(await finding.count(), 1);
    const text = await finding.innerText();
    for (const expected of ["error: badarith", "firewall:decide({udp,a,0})", "Input", "Stack", "Path to the crash", "rule(Protocol, Port, _)", "not is_integer(element(2, Arg1))"]) {
      assert.ok(text.includes(expected), `${expected} is not in ${text}`);
    }
    await finding.locator("p a").first().click();
    assert.match(page.url(), /#s1-29$/);
  }));

test("each of several functions has its findings and its tree", () =>
  look(reports.several, {}, async (page) => {
    const text = await page.locator("body").innerText();
    for (const name of ["several:good/1", "several:bad/1", "several:pid/1"]) {
      assert.ok(text.includes(name), name);
    }
    assert.match(text, /several:bad\(7\)/);
    assert.match(text, /no input can be made from its spec/);
    assert.ok((await page.locator("[role=tree]").count()) >= 2);
  }));

test("findings and source can be read without scripts", () =>
  look(reports.small, { javaScriptEnabled: false }, async (page) => {
    assert.ok(await page.locator("article.finding").isVisible());
    assert.ok(await page.locator("#s1-29 code").isVisible());
    assert.ok(await page.getByText("The tree needs JavaScript.").isVisible());
  }));

test("a click on a line shows its tests", () =>
  look(reports.small, {}, async (page) => {
    await page.locator("#s1-28 code").click();
    const panel = page.getByRole("region", { name: "Tests of line 28" });
    assert.match(await panel.innerText(), /2 tests reach line 28/);
    assert.match(await panel.innerText(), /firewall:decide\(\{udp,a,0\}\)/);
    const button = page.getByRole("button", { name: /^line 28: reached by 2 tests/ });
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    await button.focus();
    await page.keyboard.press("Enter");
    assert.equal(await panel.count(), 0);
  }));

test("a test of a line leads to its place in the tree", () =>
  look(reports.small, {}, async (page) => {
    await page.getByRole("button", { name: /^line 10:/ }).click();
    await page.getByRole("region", { name: "Tests of line 10" }).getByRole("button", { name: "test 1" }).click();
    const focused = page.locator("[role=treeitem]:focus");
    assert.match(await focused.innerText(), /test 1.*firewall:decide\(0\)/s);
    assert.equal(await focused.getAttribute("aria-expanded"), "true");
    assert.match(await page.locator(".node.step").innerText(), /1\..*decide\(_\).*because.*Arg1 is not \{_,_,_\}/s);
  }));

test("the tree folds and unfolds with the mouse", () =>
  look(reports.small, {}, async (page) => {
    const folded = await rows(page).count();
    const first = rows(page).first();
    await first.click();
    assert.equal(await first.getAttribute("aria-expanded"), "true");
    assert.ok(await rows(page).count() > folded);
    await first.click();
    assert.equal(await first.getAttribute("aria-expanded"), "false");
    assert.equal(await rows(page).count(), folded);
    await page.getByRole("button", { name: "Unfold all" }).click();
    assert.equal(await page.locator(".node.leaf:not(.step)").count(), 11, "each test is a leaf");
    await page.getByRole("button", { name: "Fold all", exact: true }).click();
    assert.equal(await rows(page).count(), folded);
  }));

test("the tree is usable with the keyboard alone", () =>
  look(reports.small, {}, async (page) => {
    await page.getByRole("button", { name: "Fold all", exact: true }).focus();
    await page.keyboard.press("Tab");
    const focused = () => page.locator("[role=treeitem]:focus");
    assert.equal(await focused().getAttribute("aria-level"), "1");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused().getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused().getAttribute("aria-level"), "2");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".node.step").count(), 2, "the decisions of the test");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.locator(".node.step").count(), 0);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focused().getAttribute("aria-level"), "1");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focused().getAttribute("aria-expanded"), "false");
    await page.keyboard.press("End");
    assert.match(await focused().innerText(), /decide\(_\)/);
    await page.keyboard.press("Home");
    assert.match(await focused().innerText(), /decide\(\{Protocol, Port, Source\}\)/);
  }));

test("concretized values are shown, with why and where", () =>
  look(reports.odd, {}, async (page) => {
    const row = page.locator("#skipped tbody tr").filter({ hasText: "erlang:phash2/1" });
    assert.match(await row.innerText(), /opaque-call.*taken from the run.*odd\.erl:8/s);
  }));

test("names are only ever text", () =>
  look(reports.odd, {}, async (page) => {
    await page.getByRole("button", { name: "Unfold all" }).click();
    for (const leaf of await page.locator(".node.leaf").all()) await leaf.click();
    for (const button of await page.locator("button.gutter").all()) await button.click();
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.title(), "odd:f/1 – erlconcolic");
    for (const place of [".finding", ".lines", ".tree"]) {
      const text = await page.locator(place).first().innerText();
      assert.ok(text.includes(INJECTION), `${place} shows the name as it is`);
    }
  }));

test("5,000 tests open fast and can be browsed", () =>
  look(reports.large, {}, async (page) => {
    const size = statSync(new URL(reports.large)).size;
    assert.ok(size < 5_000_000, `${size} bytes`);
    const loaded = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domComplete);
    assert.ok(loaded < 5_000, `${loaded} ms`);
    const began = Date.now();
    const counts = await page.locator("button.gutter .c").allInnerTexts();
    const most = Math.max(...counts.map(Number));
    assert.ok(most > 2_000, `${most} tests`);
    await page.locator("button.gutter").filter({ hasText: String(most) }).first().click();
    const panel = page.locator(".panel");
    assert.equal(await panel.locator("li").count(), 50);
    await panel.getByRole("button", { name: `Show more (${most - 50} left)` }).click();
    assert.equal(await panel.locator("li").count(), 100);
    await page.getByRole("button", { name: "Unfold all" }).click();
    assert.ok(await rows(page).count() > 500);
    assert.ok(Date.now() - began < 10_000, "it answers at once");
  }));

test("a path of hundreds of decisions is shown whole", () =>
  look(reports.deep, {}, async (page) => {
    await page.getByRole("button", { name: "Unfold all" }).click();
    const deepest = await page.evaluate(() => Math.max(...[...document.querySelectorAll("[aria-level]")].map((it) => Number(it.getAttribute("aria-level")))));
    assert.ok(deepest > 50, `${deepest} levels`);
    await page.locator(".node.leaf").last().click();
    assert.ok(await page.locator(".node.step").count() > 50);
  }));

test("a way that was not run leads to the one as which it goes on", () =>
  look(reports.merged, {}, async (page) => {
    assert.ok(await page.getByText("A way that “goes on as” another one was not run.").isVisible());
    await page.getByRole("button", { name: "Unfold all" }).click();
    const merged = page.locator(".node.merged");
    assert.ok(await merged.count() > 0);
    const [head] = (await merged.first().locator(".label").allInnerTexts());
    await page.getByRole("button", { name: "Fold all", exact: true }).click();
    await page.getByRole("button", { name: "Unfold all" }).click();
    await merged.first().locator("a").click();
    const focused = page.locator("[role=treeitem]:focus");
    assert.equal(await focused.evaluate((it) => it.classList.contains("merged")), false);
    assert.ok((await focused.innerText()).includes(head), `${head} is chosen there`);
    await merged.first().focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".node.merged:focus").count(), 0, "Enter follows the link");
  }));

test("a finding in several processes has a chart, and a step shows its line", () =>
  look(reports.processes, { javaScriptEnabled: false }, async (page) => {
    const chart = page.locator(".chart").first();
    assert.ok(await chart.locator("li").count() > 10);
    assert.equal(await chart.locator("li.race").count(), 2);
    assert.ok(await chart.locator(".arrow").count() > 5);
    const step = chart.locator("li.race details").first();
    assert.equal(await step.locator(".frame").isVisible(), false);
    await step.locator("summary").click();
    assert.ok(await step.locator(".frame").isVisible());
    const line = await step.locator(".frame a").innerText();
    await step.locator(".frame a").click();
    assert.match(page.url(), new RegExp(`#s1-${line}$`));
  }));

test("processes that wait for each other are drawn as a circle", () =>
  look(reports.processes, {}, async (page) => {
    const graph = page.getByRole("img", { name: "Who waits for whom" }).first();
    assert.ok(await graph.locator(".arrow.round").count() >= 2);
    assert.ok(await graph.locator("circle").count() >= 2);
    await page.screenshot({ path: join(folder, "processes.png"), fullPage: true });
  }));

test("a test of several processes lists them", () =>
  look(reports.processes, {}, async (page) => {
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.locator(".node.leaf").first().click();
    const text = await page.locator(".tree").first().innerText();
    assert.match(text, /process 0 \(lock_order:main\/2\): /);
    assert.match(text, /schedule: 0/);
  }));

const choice = (page) => page.getByRole("region", { name: "What is chosen in turnstile (gen_statem)" });

test("a click on a transition of a machine shows its shortest sequence", () =>
  look(reports.machine, {}, async (page) => {
    const event = page.locator(".event").filter({ hasText: "cast push" });
    await event.click();
    assert.equal(await event.getAttribute("aria-pressed"), "true");
    const text = await choice(page).innerText();
    assert.match(text, /From\s+open\s+Event\s+cast push\s+To\s+locked\s+\d+ tests? shows? it/);
    const sequence = await choice(page).locator("ol li").allInnerTexts();
    assert.deepEqual(sequence, ["init(1)", "cast coin", "cast push"]);
  }));

test("a click on a state shows how it is reached and what leaves it", () =>
  look(reports.machine, {}, async (page) => {
    await page.locator(".state").filter({ hasText: "blocked" }).click();
    const sequence = await choice(page).locator("ol li").allInnerTexts();
    assert.deepEqual(sequence, ["init(1)", "call {code,0}"]);
    await choice(page).getByRole("button", { name: "cast reset → locked" }).click();
    assert.match(await choice(page).innerText(), /Event\s+cast reset/);
    assert.equal(await page.locator(".event.picked").textContent(), "cast reset");
    assert.equal(await page.locator(".joined.picked").count(), 1);
  }));

test("a crash is marked in the drawing, and an arrow shows all its events", () =>
  look(reports.machine, {}, async (page) => {
    const crash = page.locator(".event.bad");
    assert.equal(await crash.textContent(), "cast coin");
    await crash.click();
    assert.match(await choice(page).innerText(), /To\s+crashes/);
    const joined = page.locator(".joined").filter({ has: page.locator(".reach") });
    await joined.first().locator(".reach").dispatchEvent("click");
    assert.match(await choice(page).innerText(), /\d+ transitions\s+From\s+locked\s+To\s+locked/);
    assert.ok(await choice(page).getByRole("button").count() > 2);
  }));

test("the drawing of a machine is usable with the keyboard alone", () =>
  look(reports.machine, {}, async (page) => {
    const first = page.getByRole("button", { name: "locked", exact: true });
    await first.focus();
    await page.keyboard.press("Enter");
    assert.match(await choice(page).innerText(), /State locked\s+The machine starts here/);
    await page.keyboard.press("End");
    const last = await page.locator(":focus").getAttribute("aria-label");
    assert.match(last, /, from \w+ to (\w+|the end)$/);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press(" ");
    assert.equal(await page.locator(".pick:focus").getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Home");
    assert.ok(await first.evaluate((it) => it === document.activeElement));
  }));

test("a callback that no event reaches is marked", () =>
  look(reports.machine, {}, async (page) => {
    const line = page.locator(".line").filter({ hasText: "'sold out'(cast, refill, Data)" });
    assert.match(await line.getAttribute("class"), /missed/);
    assert.match(await line.getByRole("button").getAttribute("aria-label"), /not reached by any test/);
  }));

test("a machine can be read without scripts", () =>
  look(reports.machine, { javaScriptEnabled: false }, async (page) => {
    assert.ok(await page.getByRole("img", { name: "The states of turnstile (gen_statem)" }).isVisible());
    await page.getByText("All states and transitions").click();
    const row = page.locator(".transitions tr").filter({ hasText: "cast reset" });
    assert.match(await row.innerText(), /blocked\s+cast reset\s+locked\s+\d+\s+init\(1\), call \{code,0\}, cast reset/);
  }));

for (const report of ["small", "processes", "machine"])
for (const colorScheme of ["light", "dark"]) {
  test(`${colorScheme} colours of ${report}, and no accessibility problems`, () =>
    look(reports[report], { colorScheme }, async (page) => {
      await page.getByRole("button", { name: "Unfold all" }).click();
      await page.locator(".node.leaf").first().click();
      await page.locator("button.gutter").first().click();
      for (const state of await page.locator(".state").all()) await state.click();
      const { violations } = await page.evaluate(`${axe}; axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] })`);
      const found = violations.map((it) => `${it.id}: ${it.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`);
      assert.deepEqual(found, []);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const brightness = Number(background.match(/\d+/)[0]);
      assert.equal(brightness < 128, colorScheme === "dark");
      const name = colorScheme === "dark" ? "Use light colours" : "Use dark colours";
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: join(folder, `${report}-${colorScheme}.png`), fullPage: true });
      await page.getByRole("button", { name }).click();
      const turned = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.notEqual(turned, background);
    }));
}

for (const report of ["small", "machine"])
test(`a narrow window shows all of ${report} without scrolling sideways`, () =>
  look(reports[report], { viewport: { width: 390, height: 844 } }, async (page) => {
    const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(width <= room, `${width} of ${room}`);
    await page.screenshot({ path: join(folder, `${report}-narrow.png`), fullPage: true });
  }));

test("the first key leads past the navigation", () =>
  look(reports.small, {}, async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").innerText(), "Skip to the report");
    await page.keyboard.press("Enter");
    assert.match(page.url(), /#main$/);
  }));
