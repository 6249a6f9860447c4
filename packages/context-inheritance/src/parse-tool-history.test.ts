import { randomUUID } from 'node:crypto';
import {
  createMemoryPlace,
  createMemoryRunLines,
  createMemoryRunStore,
  newRun,
} from '@agent/run-store/testing';
import { describe, expect, it } from 'vitest';
import { parseToolHistory } from './parse-tool-history.ts';

const started = (id: string, tool: string) => JSON.stringify({ tool, tool_call_id: id, status: 'started' });
const ended = (id: string, tool: string, fields: object = {}) =>
  JSON.stringify({ tool, tool_call_id: id, status: 'success', result: 'ghp_secret', ...fields });

describe('the tool history of a run', () => {
  it('is read from what a journal wrote, whose work failed while its call succeeded [NX-54]', async () => {
    const place = createMemoryPlace();
    const uuid = randomUUID();
    const { journal } = await createMemoryRunStore({ place }).open(newRun(uuid));
    const call = { toolCallId: 'c1', tool: 'read_file', args: { path: 'a.ts' } };
    await journal.append({ type: 'tool-started', ...call });
    const failed = { status: 'success', output: 'Exit code: 1', failure: 'exit code 1' } as const;
    await journal.append({ type: 'tool-finished', ...call, ...failed, durationMs: 7 });
    const { readLast } = createMemoryRunLines(place);
    const lines = await readLast(uuid, { tools: { limit: 9 } });
    const { lastAction } = parseToolHistory(lines?.tools ?? []);
    expect(lastAction).toEqual({ tool: 'read_file', status: 'error', failure: 'exit code 1' });
  });

  it('counts calls and kinds of failures by tool, and never holds what a tool gave back [NX-54] [CI-8]', () => {
    const failed = (error: string) => ({ status: 'error', error });
    const history = parseToolHistory([
      started('1', 'read_file'),
      ended('1', 'read_file'),
      ended('2', 'read_file', failed('ENOENT: no such file, open "/home/mona/x"')),
      ended('3', 'read_file', failed('"../x" is not allowed')),
      ended('4', 'fetch', failed('"fetch" did not finish within 5 seconds')),
      ended('5', 'edit_file', failed('The input does not fit: path')),
      ended('6', 'edit_file', failed('something else')),
      'torn {',
      JSON.stringify({ no: 'tool' }),
      started('7', 'run_command'),
      started('8', 'run_command'),
      ended('8', 'run_command', { failure: 'exit code 1' }),
    ]);
    expect(history).toEqual({
      isCut: false,
      lastAction: { tool: 'run_command', status: 'error', failure: 'exit code 1' },
      uses: [
        {
          tool: 'read_file',
          calls: 3,
          failures: [
            ['not found', 1],
            ['refused', 1],
          ],
        },
        { tool: 'fetch', calls: 1, failures: [['timeout', 1]] },
        {
          tool: 'edit_file',
          calls: 2,
          failures: [
            ['invalid input', 1],
            ['error', 1],
          ],
        },
        {
          tool: 'run_command',
          calls: 2,
          failures: [
            ['interrupted', 1],
            ['exit code 1', 1],
          ],
        },
      ],
    });
  });

  it('says that the end of a last call that was cut short is unknown', () => {
    const { lastAction } = parseToolHistory([started('1', 'run_command')]);
    expect(lastAction).toEqual({ tool: 'run_command', status: 'unknown', failure: 'interrupted' });
    expect(parseToolHistory([])).toEqual({ lastAction: null, uses: [], isCut: false });
  });

  it('says that its beginning is missing, where lines are numbered [NX-54]', () => {
    expect(parseToolHistory([ended('9', 'read_file', { seq: 18 })]).isCut).toBe(true);
    expect(parseToolHistory([ended('1', 'read_file', { seq: 1 })]).isCut).toBe(false);
  });
});
