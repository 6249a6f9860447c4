import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawSentences } from './draw-sentences.ts';
import { type RenderedText, renderedRuns, renderRun } from './rendered-runs.ts';

const usage = `npm run prose -- --out DIRECTORY [--seed N] [--strings N]

Plays ten runs on the real daemon and writes each text that a person would see into DIRECTORY.
Then draws sentences of them for a reader (docs/contributing/prose-review.md), the same ones for the same seed.

  --out DIRECTORY  where the texts go
  --seed N         default: the day's date (20261128)
  --strings N      how many sentences are drawn (default 60)`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    seed: { type: 'string' },
    strings: { type: 'string', default: '60' },
    help: { type: 'boolean' },
  },
});

if (values.help === true || values.out === undefined) {
  console.log(usage);
  process.exitCode = values.help === true ? 0 : 2;
} else {
  await render(values.out);
  // The process that hosts the daemons stays for further ones.
  process.exit(0);
}

async function render(directory: string): Promise<void> {
  const texts: RenderedText[] = [];
  for (const run of renderedRuns) {
    texts.push(...(await renderRun(run)));
    console.error(`rendered: ${run.name}`);
  }
  await mkdir(directory, { recursive: true });
  const pages = Object.groupBy(texts, ({ name }) => name.split('/')[0] ?? '');
  for (const [name, page = []] of Object.entries(pages)) {
    const body = page.map(({ name: title, text }) => `<<< ${title} >>>\n\n${text}\n`).join('\n');
    await writeFile(join(directory, `${name.replaceAll(/[^a-z]+/giu, '-')}.txt`), body);
  }
  const seed = Number(values.seed ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''));
  const drawn = drawSentences(texts, { seed, count: Number(values.strings) });
  console.log(drawn.map(({ name, text }, index) => `${index + 1}. [${name}] ${text}`).join('\n'));
}
