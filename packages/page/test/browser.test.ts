// @module-tag full
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TOKEN } from './support/fake-world.ts';
import { openBrowser } from './support/open-browser.ts';
import { type ServedWorld, serveFakeWorld } from './support/serve-fake-world.ts';

const uuid = '00000000-0000-4000-8000-000000000000';
const runPath = `/runs/${uuid}`;
const rooms = [
  '/',
  runPath,
  `${runPath}/journal`,
  '/threads/github_issue:acme:shop:300',
  '/health',
  '/audit',
];

const started = await openBrowser().catch((error: Error) => error);
const browser = started as Browser;
let served: ServedWorld;

beforeAll(async () => {
  served = await serveFakeWorld({ tasks: 300 });
});

afterEach(async () => {
  if (started instanceof Error) return;
  for (const context of browser.contexts()) await context.close();
});

afterAll(async () => {
  if (!(started instanceof Error)) await browser.close();
  await served?.close();
});

interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly javaScriptEnabled?: boolean;
}

/** Opens a page that is logged in; everything that its console says is kept. */
async function open({ colorScheme = 'light', width = 1200, javaScriptEnabled = true }: Look = {}) {
  const context = await browser.newContext({
    colorScheme,
    javaScriptEnabled,
    viewport: { width, height: 800 },
  });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(`${served.url}/login`);
  await page.fill('#token', TOKEN);
  await Promise.all([page.waitForURL(`${served.url}/`), page.click('main button')]);
  return { page, said, close: () => context.close() };
}

/** Polls a page: its policy keeps the driver's own way of waiting out. */
async function until(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>(expression)).toBe(true);
}

/** Lets axe look at a page, past the policy that keeps other scripts out. */
async function findViolations(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `${axe.source}; axe.run()`,
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

if (started instanceof Error) {
  process.stderr.write(`${started.message}\n`);
  it(`NOT SHOWN HERE, ${started.message} a page in Chromium`, () => {
    expect(started).toBeInstanceOf(Error);
  });
} else
  describe('a page in Chromium', () => {
    it.each(process.env.TEST_RELEASE === '1' ? (['light', 'dark'] as const) : (['light'] as const))(
      'has no fault that axe finds in %s, and no word in its console [NX-336]',
      async (colorScheme) => {
        const { page, said, close } = await open({ colorScheme });
        for (const room of rooms) {
          await page.goto(`${served.url}${room}`);
          expect(await findViolations(page), room).toEqual([]);
        }
        expect(said).toEqual([]);
        await close();
      },
    );

    it('fits a phone of 320 pixels [NX-336]', async () => {
      const { page, close } = await open({ width: 320 });
      for (const room of rooms) {
        await page.goto(`${served.url}${room}`);
        expect(await page.evaluate('document.documentElement.scrollWidth'), room).toBeLessThanOrEqual(320);
      }
      await close();
    });

    it('shows a change without a reload; what was opened, focused and scrolled stays [NX-337]', async () => {
      const { page, said, close } = await open();
      await page.goto(`${served.url}${runPath}`);
      await page.waitForSelector('#live:not([hidden])');
      const details = page.locator('#timeline ~ ol details').first();
      await details.locator('summary').click();
      await details.locator('summary').focus();
      await page.evaluate('scrollTo(0, 500)');
      const before = await page.evaluate('scrollY');
      const run = served.world.runs.get(uuid);
      if (run === undefined) throw new Error('The fake world has no such run.');
      served.world.runs.set(uuid, {
        ...run,
        row: { ...run.row, state: 'paused', reason: '<i>a question</i>' },
      });
      served.world.tell({ uuid });
      await until(page, "document.querySelector('#summary').textContent.includes('<i>a question</i>')");
      expect(await details.getAttribute('open')).not.toBeNull();
      expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
      expect(await page.evaluate('scrollY')).toBe(before);
      await until(page, "document.querySelector('#announce').textContent.includes('Paused')");
      expect(said).toEqual([]);
      served.world.runs.set(uuid, run);
      await close();
      await expect.poll(() => served.world.countListeners()).toBe(0);
    });

    it('does what a button says that came without a reload [NX-361]', async () => {
      const { page, close } = await open();
      await page.goto(`${served.url}${runPath}`);
      await page.waitForSelector('#live:not([hidden])');
      const run = served.world.runs.get(uuid);
      if (run === undefined) throw new Error('The fake world has no such run.');
      const row = { ...run.row, state: 'paused' } as const;
      served.world.runs.set(uuid, { ...run, row, controls: ['resume', 'stop', 'budget'] });
      served.world.tell({ uuid });
      await until(page, "document.querySelector('.actions').textContent.includes('Resume')");
      await Promise.all([page.waitForURL('**/runs/*?done=resume'), page.click('button:text("Resume")')]);
      expect(served.world.acted.at(-1)).toMatchObject({ control: 'resume', actor: 'mona' });
      served.world.runs.set(uuid, run);
      await close();
    });

    it('loads more rows as somebody scrolls, each once, and moves by keys [NX-338]', async () => {
      const { page, close } = await open();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      expect(await page.evaluate("document.activeElement.closest('[data-row]').dataset.row")).toBe(
        served.world.rows[1]?.id,
      );
      await page.keyboard.press('k');
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.id')).toBe('text');
      await page.keyboard.press('Escape');
      for (let count = 2; count <= 6; count += 1) {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
        await until(page, `document.querySelectorAll('[data-window]').length >= ${count}`);
      }
      const ids = await page.evaluate<string[]>(
        "[...document.querySelectorAll('[data-row]')].map((row) => row.dataset.row)",
      );
      expect(ids).toEqual(served.world.rows.map(({ id }) => id));
      await close();
    });

    it('is read and acted on with scripts off [NX-339]', async () => {
      const { page, close } = await open({ javaScriptEnabled: false });
      await page.click('#more a');
      expect(await page.locator('[data-row]').count()).toBe(50);
      await page.goto(`${served.url}${runPath}`);
      await Promise.all([page.waitForURL('**/runs/*?done=pause'), page.click('button:text("Pause")')]);
      expect(served.world.acted.at(-1)).toMatchObject({ control: 'pause', actor: 'mona' });
      await close();
    });
  });
