import { describe, expect, it } from 'vitest';
import { toConnectionSettings } from './connection-options.ts';

const service = { service: 'GitHub', baseUrl: 'https://api.github.com', ownServer: 'https://host/api/v3' };

describe('options of a platform behind HTTP', () => {
  it('speaks English where no language is asked for [X9]', () => {
    expect(toConnectionSettings({ token: 'some-token' }, service).locale).toBe('en');
    expect(toConnectionSettings({ token: 'some-token', locale: 'ja' }, service).locale).toBe('ja');
  });
});
