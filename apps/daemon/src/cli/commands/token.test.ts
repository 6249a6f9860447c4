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
    expect((await token({ list: true })).output).toContain('There are no access tokens.');
  });

  it('says that an earlier token is revoked only if there is one', async () => {
    const replaced = 'The earlier token of alice is revoked';
    expect((await token({ name: 'alice' })).errors).not.toContain(replaced);
    expect((await token({ name: 'bob' })).errors).not.toContain(replaced);
    expect((await token({ name: 'alice' })).errors).toContain(replaced);
  });

  it.each([
    [{ name: '' }, 'Name the user who logs in with it'],
    [{ name: 'x'.repeat(101) }, 'Name the user who logs in with it'],
    [{ name: 'alice', days: '0' }, '--days must be a whole number'],
    [{ name: 'alice', days: 'soon' }, '--days must be a whole number'],
  ])('is refused with words that say what to do: %j [NX-340]', async (given, said) => {
    const { code, errors } = await token(given);
    expect(code).toBe(1);
    expect(errors).toContain(said);
  });
});
