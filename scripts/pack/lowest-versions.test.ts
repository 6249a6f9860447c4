// @module-tag full
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { createProject, runIn } from './create-project.ts';
import { installLowest } from './install-lowest.ts';
import { readReadmeExample } from './readme-example.ts';

const SETUP_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 60_000;

// The simulators are not installed with the others: `other-nodes.test.ts` tries them alone, with their lowest versions.
const libraries = listPublishablePackages().filter(
  ({ folder, manifest }) => manifest.exports !== undefined && folder !== 'packages/simulators',
);
const workbench = mkdtempSync(join(tmpdir(), 'agent-lowest-'));
const together = join(workbench, 'together');
const older = join(workbench, 'older-ai');

beforeAll(async () => {
  const { tarballs } = await installLowest(libraries, workbench);
  const detection = { '@agent/comment-detection': tarballs['@agent/comment-detection'] ?? '', ai: '^6.0.0' };
  await createProject({ folder: older, dependencies: detection, overrides: tarballs });
}, SETUP_TIMEOUT_MS);

afterAll(() => rmSync(workbench, { recursive: true, force: true }));

it.each(libraries)(
  'runs the README example of $manifest.name with the lowest versions that it names [NX-53]',
  async ({ folder, manifest }) => {
    const file = `${manifest.name.replace('@agent/', '')}.mjs`;
    writeFileSync(join(together, file), stripTypeScriptTypes(readReadmeExample(folder)));
    expect(await runIn(together, ['node', file])).not.toBe('');
  },
  RUN_TIMEOUT_MS,
);

it('brings neither the other platform nor a simulator to who uses GitHub [NX-56]', () => {
  const installed = readdirSync(join(together, 'node_modules/.pnpm'));
  expect(installed.filter((name) => name.startsWith('@octokit+rest'))).toHaveLength(1);
  expect(installed.filter((name) => name.startsWith('@gitbeaker'))).toEqual([]);
  expect(installed.filter((name) => name.startsWith('zod@'))).toEqual(['zod@4.1.8']);
  expect(installed.filter((name) => name.startsWith('@agent+simulators'))).toEqual([]);
});

describe('@agent/comment-detection with ai 6', () => {
  it('hears before each step, and says what withComments needs [NX-53]', async () => {
    const program = `
      import { CommentDetectionManager } from '@agent/comment-detection';
      import { withComments } from '@agent/comment-detection/ai-sdk';
      import { createCommentPrepareStep } from '@agent/comment-detection/prepare-step';
      const comments = [];
      const source = { listComments: async () => ({ comments, complete: true, cursor: null, unchanged: false }) };
      const safe = { botUsername: 'me', authorityOf: () => 'trusted', cleanText: (text) => text };
      const manager = new CommentDetectionManager(source, { ...safe, monotonicNow: () => (time += 2_000) });
      let time = 0;
      const prepareStep = createCommentPrepareStep(manager);
      await prepareStep({ messages: [] });
      comments.push({ id: 1, user: { id: 7, login: 'alice' }, body: 'Hi.', created_at: '2199-01-01T00:00:00Z' });
      console.log(JSON.stringify((await prepareStep({ messages: [] })).messages));
      try { withComments({}, manager); } catch (error) { console.log(error.message); }`;
    writeFileSync(join(older, 'program.mjs'), program);
    const { version } = JSON.parse(readFileSync(join(older, 'node_modules/ai/package.json'), 'utf8'));
    expect(version).toMatch(/^6\./);
    const printed = await runIn(older, ['node', 'program.mjs']);
    expect(printed).toContain('"content":"[New Comment from @alice]:\\nHi."');
    expect(printed).toContain('withComments needs `ai` 7.0.154 or newer');
  });
});
