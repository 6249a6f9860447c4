import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawIssue, pictureFile } from './draw-issue.ts';
import { recordIssue } from './record-issue.ts';

const directory = await mkdtemp(join(tmpdir(), 'agent-picture-'));
try {
  await writeFile(pictureFile, drawIssue(await recordIssue(directory, process.env)));
  process.stdout.write(`Wrote ${pictureFile}\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
