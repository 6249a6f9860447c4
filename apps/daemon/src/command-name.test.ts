import { afterEach, describe, expect, it, vi } from 'vitest';
import { commandName, formatCommand } from './command-name.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('commandName', () => {
  it('is the script of the checkout if npm started it, else the installed program', () => {
    expect(commandName({ npm_lifecycle_event: 'daemon' })).toBe('npm run daemon --');
    expect(commandName({ npm_lifecycle_event: 'npx' })).toBe('agent-daemon');
    expect(commandName({})).toBe('agent-daemon');
  });
});

describe('formatCommand', () => {
  it('names a command that works as the program was started', () => {
    vi.stubEnv('npm_lifecycle_event', 'daemon');
    expect(formatCommand('doctor')).toBe('npm run daemon -- doctor');
    vi.stubEnv('npm_lifecycle_event', 'test:unit');
    expect(formatCommand('token alice')).toBe('agent-daemon token alice');
  });
});
