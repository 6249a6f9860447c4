import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { TOKEN } from './fake-world.ts';
import { openBrowser } from './open-browser.ts';
import { type ServedWorld, serveFakeWorld } from './serve-fake-world.ts';

const run = '/runs/00000000-0000-4000-8000-000000000000';
const looks = {
  light: { colorScheme: 'light', viewport: { width: 1080, height: 720 } },
  dark: { colorScheme: 'dark', viewport: { width: 1080, height: 720 } },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 }, locale: 'ja-JP' },
} as const;
const pictures = [
  { name: 'page-board', look: 'light', path: '/' },
  { name: 'page-run-dark', look: 'dark', path: run },
  { name: 'page-thread', look: 'light', path: '/threads/github_issue:acme:shop:5000' },
  { name: 'page-health', look: 'light', path: '/health' },
  { name: 'page-phone-japanese', look: 'phone', path: '/' },
] as const;

/** Takes the pictures of the guide, of a page with made-up tasks: `take-pictures.ts [FOLDER]`. */
async function takePictures(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const [served, browser] = await Promise.all([serveFakeWorld({ tasks: 5000 }), openBrowser()]);
  for (const picture of pictures) await takePicture(picture, { served, browser, folder });
  await browser.close();
  await served.close();
}

async function takePicture(
  { name, look, path }: (typeof pictures)[number],
  {
    served,
    browser,
    folder,
  }: { readonly served: ServedWorld; readonly browser: Browser; readonly folder: string },
): Promise<void> {
  const context = await browser.newContext({ ...looks[look], timezoneId: 'Asia/Tokyo' });
  const page = await context.newPage();
  page.on('console', (message) => console.log(name, message.text()));
  page.on('pageerror', (error) => console.log(name, error.message));
  await page.goto(`${served.url}/login`);
  await page.fill('#token', TOKEN);
  await Promise.all([page.waitForURL(`${served.url}/`), page.click('main button')]);
  await page.goto(`${served.url}${path}`);
  await page.waitForSelector('#live:not([hidden])');
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

const guide = fileURLToPath(new URL('../../../../docs/guides/images', import.meta.url));
await takePictures(process.argv[2] ?? guide);
