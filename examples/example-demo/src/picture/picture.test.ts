// @module-tag full
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { drawIssue, pictureFile } from './draw-issue.ts';
import { recordIssue } from './record-issue.ts';

const withoutTimes = (svg: string): string => svg.replace(/\d{4}-\d\d-\d\d|\d\d:\d\d(?::\d\d)?/g, 'T');

it('docs/pictures/issue-comment.svg shows what the product writes now; `npm run picture` renews it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-picture-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const drawn = drawIssue(await recordIssue(directory, process.env));
  expect(withoutTimes(readFileSync(pictureFile, 'utf8'))).toBe(withoutTimes(drawn));
});
