import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Starts a Chromium that came from npm. @throws naming what the machine lacks */
export async function openBrowser(): Promise<Browser> {
  try {
    return await driver.launch({
      executablePath: await chromium.executablePath(),
      args: chromium.args.filter((arg) => arg !== '--single-process'),
      timeout: 60_000,
    });
  } catch (cause) {
    throw new Error('Chromium of @sparticuz/chromium does not start here: it needs libnss3.', { cause });
  }
}

/** Somebody who looks at a daemon's page. */
export interface PageVisitor {
  readonly page: Page;
  /** Words of the console, violations of the policy among them. */
  readonly said: readonly string[];
  readonly visit: (path: string) => Promise<void>;
  /** Resolves once an expression is true in the page; its policy keeps the driver's own way of waiting out. */
  readonly until: (expression: string) => Promise<void>;
  /** Presses the button of an act and waits until the page says that it was taken. */
  readonly act: (name: string, control: string) => Promise<void>;
  readonly findViolations: () => Promise<readonly string[]>;
}

/** Logs somebody in by the form, as a person does. */
export async function logInToPage(
  browser: Browser,
  {
    url,
    token,
    hasScripts = true,
  }: { readonly url: string; readonly token: string; readonly hasScripts?: boolean },
): Promise<PageVisitor> {
  const context = await browser.newContext({ javaScriptEnabled: hasScripts, locale: 'en-US' });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('dialog', (dialog) => {
    said.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${url}/login`);
  await page.fill('#token', token);
  await Promise.all([page.waitForURL(`${url}/`), page.click('main button')]);
  return {
    page,
    said,
    visit: async (path) => void (await page.goto(`${url}${path}`)),
    until: async (expression) => {
      await expect
        .poll(() => page.evaluate<boolean>(expression), { message: expression, interval: 20 })
        .toBe(true);
    },
    act: async (name, control) => {
      await page.click(`.actions button:text-is("${name}")`);
      await expect.poll(() => page.url()).toContain(`?done=${control}`);
    },
    findViolations: async () => {
      const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        `${axe.source}; axe.run()`,
      );
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    },
  };
}
