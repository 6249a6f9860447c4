import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TOKEN } from './fake-world.ts';
import { openBrowser } from './open-browser.ts';
import { serveFakeWorld } from './serve-fake-world.ts';

const uuid = '00000000-0000-4000-8000-000000000000';
const rooms: Readonly<Record<string, string>> = {
  board: '/',
  run: `/runs/${uuid}`,
  thread: '/threads/github_issue:acme:shop:5000',
  health: '/health',
  audit: '/audit',
  journal: `/runs/${uuid}/journal`,
};
const looks = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 }, locale: 'ja-JP' },
} as const;

/** Takes a picture of each room in each look into a folder: `take-pictures.ts FOLDER`. */
async function takePictures(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const [served, browser] = await Promise.all([serveFakeWorld({ tasks: 5000 }), openBrowser()]);
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext({ ...options, timezoneId: 'Asia/Tokyo' });
    const page = await context.newPage();
    page.on('console', (message) => console.log(look, message.text()));
    page.on('pageerror', (error) => console.log(look, error.message));
    await page.goto(`${served.url}/`);
    await page.screenshot({ path: join(folder, `${look}-stranger.png`) });
    await page.goto(`${served.url}/login`);
    await page.screenshot({ path: join(folder, `${look}-login.png`) });
    await page.fill('#token', TOKEN);
    await Promise.all([page.waitForURL(`${served.url}/`), page.click('main button')]);
    for (const [name, path] of Object.entries(rooms)) {
      await page.goto(`${served.url}${path}`);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `${look}-${name}.png`) });
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (Number(width) > options.viewport.width) console.log(look, name, 'is too wide', width);
    }
    await context.close();
  }
  await browser.close();
  await served.close();
}

await takePictures(process.argv[2] ?? 'pictures');
