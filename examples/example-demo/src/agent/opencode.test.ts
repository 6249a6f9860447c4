// @module-tag release
import { installOpencode } from '@agent/simulators/real-agents';
import { expect, it } from 'vitest';
import { runDemo } from '../run-demo.ts';

it('shows opencode at work on an issue, with a comment that arrives in the middle', {
  timeout: 900_000,
}, async () => {
  const OPENCODE_BIN = await installOpencode(process.env);
  const { code, output, left } = await runDemo(['--agent', 'opencode', '--verbose'], {
    env: { OPENCODE_BIN },
  });
  expect(output).not.toContain('✘');
  expect(output).toMatch(
    /I run the tests\.[\s\S]*mika +“Our till rounds once[\s\S]*Mika says that the till rounds once/,
  );
  expect(code).toBe(0);
  expect(left).toEqual([]);
});
