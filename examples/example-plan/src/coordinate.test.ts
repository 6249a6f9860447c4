import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { playCoordinate } from './play-coordinate.ts';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

describe('the guide to the coordinator', () => {
  it('shows the program of this example, in 30 lines at most [NX-419]', async () => {
    const guide = await read('../../../docs/guides/coordinator.md');
    const code = /^```ts\n(.*?)^```$/ms.exec(guide)?.[1];
    expect(code).toBe(await read('./coordinate.ts'));
    expect(code?.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });

  it('runs pre-planning before the plan and delivers a comment that arrives during an action [NX-419, CD-37, PP-47]', async () => {
    const lines: string[] = [];
    await playCoordinate((line) => lines.push(line));
    expect(lines).toEqual([
      'Pre-planning is in the request for the plan: true',
      'The comment reached the model: true',
      'Outcome: completed',
    ]);
  });
});
