import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReadOnlyTools } from '@agent/pre-planning';
import { createFileTools, ToolError } from '@agent/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

describe('what a tool of the daemon says when it fails', () => {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'define-tool-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  it.each([
    ['read_file', { path: '../../../etc/passwd' }],
    ['read_file', { path: '.git/config' }],
    ['read_file', { path: '/etc/passwd' }],
    ['read_file', { path: 'gone.ts' }],
    ['list_files', { path: 'gone' }],
    ['list_files', { path: '.' }],
    ['search_files', { pattern: '(?=a)' }],
    ['search_files', { pattern: 'total' }],
  ])('is heeded by collecting: %s of %j would fail again [E3] [E4]', async (tool, parameters) => {
    const tools = createReadOnlyTools(createFileTools(root));
    expect(await tools.call({ tool, parameters })).toMatchObject({ status: 'failed', isTransient: false });
  });

  it('is worth a second try only where it says so [E3]', async () => {
    const failing = (error: Error) => ({
      read: {
        inputSchema: z.object({}),
        readOnly: true,
        execute: () => Promise.reject(error),
      },
    });
    const call = (error: Error) => createReadOnlyTools(failing(error)).call({ tool: 'read', parameters: {} });
    expect(await call(new ToolError('It was busy.'))).toMatchObject({ isTransient: false });
    expect(await call(new ToolError('It was busy.', { retryable: true }))).toMatchObject({
      isTransient: true,
    });
  });
});
