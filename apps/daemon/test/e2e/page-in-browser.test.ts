// @module-tag full
import type { Script } from '@agent/simulators/model';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { createModelGate } from '../support/model-gate.ts';
import { logInToPage, openBrowser } from '../support/page-visitor.ts';
import { token as forgeToken, startWorld, type World } from '../support/world.ts';

const started = await openBrowser().catch((error: Error) => error);
const browser = started as Browser;
let world: World | null = null;
let daemon: DaemonProcess | null = null;

afterEach(async () => {
  if (!(started instanceof Error)) for (const context of browser.contexts()) await context.close();
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

afterAll(async () => {
  if (!(started instanceof Error)) await browser.close();
});

const secret = 'TheSecretOfTheWebhookInTests0001';
const label = 'coding agent';
const hostile = '<script>alert(1)</script><img src=x onerror=alert(2)> \u202egnp.exe\u202c "total" & more';
const long = 'A comment of ten thousand characters. '.repeat(264).slice(0, 10_000);

/** Reads a file until somebody stops it, each time another part: equal calls would end the run. */
const script: Script = ({ exchanges }) => ({
  toolCalls: [{ name: 'read_file', input: { path: 'total.js', limit: exchanges.length + 1 } }],
});

/** Has the page keep how many milliseconds after its line of the record a comment is shown. */
const noteComment = (index: number) => `(() => {
  window.shownAfter ??= {};
  const look = () => {
    const comment = document.querySelectorAll('[id^="comment-"]')[${index}];
    const seen = comment?.querySelectorAll('.track time')[1];
    if (!seen) return;
    observer.disconnect();
    window.shownAfter[${index}] = Date.now() - Date.parse(seen.dateTime);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.querySelector('#main'), { childList: true, subtree: true });
})()`;

/** A daemon with webhooks and its page, at work on an issue whose model is asked for the first time. */
async function startAtWork() {
  const gate = createModelGate();
  const at = await startWorld({
    script,
    config: {
      comment_detection: { enabled: true },
      poll_interval_seconds: 1,
      limits: { max_steps: 1_000 },
      http: { port: 0 },
    },
    onModelRequest: gate.onModelRequest,
  });
  world = at;
  const running = startDaemonProcess(at.configFile, {
    flags: ['--log-format', 'json'],
    environment: { GITHUB_WEBHOOK_SECRET: secret },
  });
  daemon = running;
  await running.printed(/listening for webhooks/);
  const url = /"url":"(http:[^"]+)","msg":"serving web UI/.exec(running.output())?.[1] ?? '';
  const { output } = await runDaemonCommand(at.configFile, ['token', 'alice']);
  const [token = ''] = /^[\w-]{43}$/m.exec(output) ?? [];
  const deliver = async (news: Parameters<World['forge']['composeDelivery']>[0]) => {
    const delivery = at.forge.composeDelivery(news, secret);
    expect((await fetch(`${url}/webhooks/github`, { method: 'POST', ...delivery })).status).toBe(202);
  };
  return {
    ...{ at, gate, running, url, token },
    open: async () => {
      at.forge.openIssue({
        title: `${hostile} ${forgeToken}`,
        body: 'It forgets the quantity.',
        labels: [label],
      });
      await deliver({ reference: '#1', label });
    },
    say: async (body: string) => {
      const commentId = at.forge.comment('#1', { author: 'alice', body });
      await deliver({ commentId, change: 'created' });
    },
  };
}

if (started instanceof Error) {
  process.stderr.write(`${started.message}\n`);
  it(`NOT SHOWN HERE, ${started.message} the page of a running daemon in Chromium`, () => {
    expect(started).toBeInstanceOf(Error);
  });
} else
  describe('the page of a running daemon in Chromium', () => {
    it('shows a task and what is said on its thread within a second and without a reload, and obeys clicks [NX-359, NX-360]', async () => {
      const { gate, running, url, token, open, say, at } = await startAtWork();
      const visitor = await logInToPage(browser, { url, token });
      const { page, said, visit, until, act } = visitor;
      const goOnUntil = async (expression: string) => {
        const goOn = async () => {
          gate.letThrough();
          return page.evaluate<boolean>(expression);
        };
        await expect.poll(goOn, { message: expression, interval: 200 }).toBe(true);
      };
      await page.waitForSelector('#live:not([hidden])');
      await page.evaluate('window.isSamePage = true');
      await open();
      await until("document.querySelector('[data-row] .title')?.textContent.includes('& more')");
      expect(await page.evaluate('window.isSamePage')).toBe(true);
      expect(await visitor.findViolations()).toEqual([]);

      await page.click('[data-row] a.name');
      await page.waitForSelector('#live:not([hidden])');
      const room = new URL(page.url()).pathname;
      await page.evaluate('window.isSamePage = true');
      const times: number[] = [];
      for (const [index, body] of [hostile, long, 'Make it PURPLE.'].entries()) {
        await page.evaluate(noteComment(index));
        await say(body);
        await goOnUntil(`window.shownAfter[${index}] !== undefined`);
        times.push(await page.evaluate(`window.shownAfter[${index}]`));
      }
      // A machine that is busy with much else may be late, but not three times.
      expect(Math.min(...times), times.join()).toBeLessThanOrEqual(1_000);
      expect(await page.evaluate('window.isSamePage')).toBe(true);
      expect(await page.textContent('#comments ~ ol')).toContain('<script>alert(1)</script>');
      expect(await page.evaluate('document.querySelectorAll("main script, main img").length')).toBe(0);
      expect(await visitor.findViolations()).toEqual([]);

      await act('Pause run', 'pause');
      await goOnUntil("document.querySelector('#summary').textContent.includes('Paused')");
      await running.printed(/paused task/);
      expect(at.thread(1).labels).toEqual(['coding agent paused']);
      await act('Resume run', 'resume');
      await until("document.querySelector('#summary').textContent.includes('Running')");
      await act('Stop run', 'stop');
      gate.letThrough({ forEver: true });
      await until("document.querySelector('#summary').textContent.includes('Stopped')");
      await running.printed(/finished task/);
      expect(at.thread(1).labels).toEqual(['coding agent stopped']);
      expect(at.thread(1).comments.at(-1)?.body).toContain('`alice`');

      await visit('/audit');
      const entries = await page.locator('tbody tr').allTextContents();
      for (const control of ['Pause', 'Resume', 'Stop'])
        expect(entries.filter((entry) => entry.includes(control) && entry.includes('alice'))).toHaveLength(1);
      for (const path of ['/', room, `${room}/journal`, '/health', '/audit']) {
        await visit(path);
        expect(await page.content(), path).not.toContain(forgeToken);
        expect(await visitor.findViolations(), path).toEqual([]);
      }
      expect(said).toEqual([]);
    });

    it('is read and acted on with scripts off [NX-359]', async () => {
      const { gate, running, url, token, open, at } = await startAtWork();
      await open();
      await gate.asked(1);
      const { page, visit, act } = await logInToPage(browser, { url, token, hasScripts: false });
      await page.click('[data-row] a.name');
      const room = new URL(page.url()).pathname;
      expect(await page.textContent('main')).toContain('"total" & more');
      await act('Stop run', 'stop');
      gate.letThrough({ forEver: true });
      await running.printed(/finished task/);
      const reread = async () => {
        await visit(room);
        return page.textContent('#summary');
      };
      await expect.poll(reread).toContain('Stopped');
      expect(at.thread(1).labels).toEqual(['coding agent stopped']);
    });
  });
