import chromium from '@sparticuz/chromium';

/** Unpacks Chromium before several processes start it at once; where that fails, each says what it lacks. */
export default async function unpackBrowser(): Promise<void> {
  await chromium.executablePath().catch(() => {});
}
