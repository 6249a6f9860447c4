import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../workspace/root.ts';
import { findProgram, listExamples } from './list-examples.ts';

const examples = listExamples(repositoryRoot);

function runExample(...args: readonly string[]) {
  const program = join(repositoryRoot, 'scripts', 'example.ts');
  return spawnSync(process.execPath, ['--conditions=@agent/source', program, ...args], { encoding: 'utf8' });
}

describe('findProgram', () => {
  const hearing = 'examples/example-hearing/src/main.ts';

  it.each(['hearing', 'example-hearing', 'examples/example-hearing/', hearing, `./${hearing}`])(
    'finds an example by %s',
    (given) => {
      expect(findProgram(examples, given)).toBe(hearing);
    },
  );

  it.each(['hear', 'fixtures', '..', ''])('finds no program for "%s"', (given) => {
    expect(findProgram(examples, given)).toBeNull();
  });
});

describe('npm run example', () => {
  it('lists each example with a sentence and a command', () => {
    const { status, stdout } = runExample();
    expect(status).toBe(0);
    expect(stdout).toContain(
      '\nexample-hearing\n  Delivers comments and reviews to a running generateText call, and resumes it after a crash.\n  npm run example hearing\n',
    );
    expect(stdout).toContain('\n  npm start\n');
    expect(stdout).toContain('\n  Read examples/example-fixtures/README.md\n');
    for (const { name, description } of examples) {
      expect(stdout).toContain(`\n${name}\n  ${description}\n`);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('refuses an unknown name with the list', () => {
    const { status, stderr } = runExample('hear');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^There is no example "hear" that can be run\.\n\nExamples\./);
  });

  it('runs an example with its own arguments', () => {
    const { status, stdout } = runExample('demo', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('npm start');
  });
});
