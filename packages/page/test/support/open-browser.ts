import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/**
 * Starts a Chromium that came from npm.
 *
 * @throws naming what the machine lacks
 */
export async function openBrowser(): Promise<Browser> {
  try {
    const executablePath = await chromium.executablePath();
    return await driver.launch({
      executablePath,
      args: chromium.args.filter((arg) => arg !== '--single-process'),
      headless: true,
      timeout: 60_000,
    });
  } catch (cause) {
    throw new Error(
      'Chromium of @sparticuz/chromium does not start here. It needs the libraries of NSS (Debian: `apt-get install libnss3`), and for pictures of Japanese text a font (`fonts-noto-cjk`).',
      { cause },
    );
  }
}
