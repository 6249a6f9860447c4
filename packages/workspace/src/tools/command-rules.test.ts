import { describe, expect, it } from 'vitest';
import { checkCommand } from './command-rules.ts';

const allowed = ['npm', 'node', 'git'];
const refusalOf = (command: string, ...args: string[]) => {
  try {
    checkCommand({ command, args }, allowed);
  } catch (error) {
    return error as Error & { code: unknown };
  }
  throw new Error('it was not refused');
};

describe('a command that cannot be run', () => {
  it.each([
    ['bash', ['-lc', 'npm test'], 'Call it with {"command":"npm","args":["test"]}.'],
    ['/bin/sh', ['-c', 'npm ci && npm test'], 'Call it with {"command":"npm","args":["ci"]}, then with'],
    ['npm test', [], 'Call it with {"command":"npm","args":["test"]}.'],
    ['bash', ['-c', 'npm test | tee log'], 'Make one call for each program.'],
    ['./run.sh', [], 'read "./run.sh" with read_file'],
    ['sh', ['run.sh'], 'read "run.sh" with read_file'],
    ['curl', ['http://example.org'], 'There is no shell'],
  ])('is refused with the way that works: %s %j [NX-43]', (command, args, way) => {
    const { message, code } = refusalOf(command, ...args);
    expect(message).toContain(way);
    expect(message).toContain('Commands that can be run: git, node, npm.');
    expect(code).toBe('refused');
  });

  it('is refused as such where git would act [NX-43]', () => {
    expect(refusalOf('git', 'push').code).toBe('refused');
  });
});
