import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { type TokenFlags, tokenCommand } from './token.ts';

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
});
afterEach(() => kept.close());

const token = (given: Partial<TokenFlags>) =>
  runCommand((io) => tokenCommand({ config: kept.configFile, days: '90', ...given }, io));

describe('token', () => {
  it('is printed once, listed by its holder, and taken back [NX-340]', async () => {
    const made = await token({ name: 'alice' });
    expect(made.code).toBe(0);
    const [, value = ''] = /^([\w-]{43})$/m.exec(made.output) ?? [];
    expect(value).not.toBe('');
    const listed = await token({ list: true });
    expect(listed.output).toContain('alice');
    expect(listed.output).not.toContain(value);
    expect((await token({ name: 'alice', revoke: true })).code).toBe(0);
    expect((await token({ name: 'alice', revoke: true })).code).toBe(1);
    expect((await token({ list: true })).output).toContain('Nobody has a token.');
  });

  it.each([
    [{ name: '' }, 'Name who logs in with it'],
    [{ name: 'x'.repeat(101) }, 'Name who logs in with it'],
    [{ name: 'alice', days: '0' }, '--days takes a whole number'],
    [{ name: 'alice', days: 'soon' }, '--days takes a whole number'],
  ])('is refused with words that say what to do: %j [NX-340]', async (given, said) => {
    const { code, errors } = await token(given);
    expect(code).toBe(1);
    expect(errors).toContain(said);
  });
});
