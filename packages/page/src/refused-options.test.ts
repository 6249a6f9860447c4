import { describe, expect, it } from 'vitest';
import { createPage, formatRunFile } from './index.ts';

const parts = { reader: {}, health: {}, changes: {}, actions: {}, logins: { findHolder() {} }, audit: {} };

describe('A public function of the page', () => {
  it.each([
    ['PageOptions must be an object; it is undefined.', () => createPage(undefined as never)],
    ['PageOptions.reader must be an object; it is undefined.', () => createPage({} as never)],
    [
      'PageOptions.sessionHours must be a number of at least 0; it is "12".',
      () => createPage({ ...parts, sessionHours: '12' } as never),
    ],
    [
      'PageOptions.base must be a path that begins with /',
      () => createPage({ ...parts, base: 'agents' } as never),
    ],
    [
      'PageOptions.allowedHost is unknown. Did you mean allowedHosts?',
      () => createPage({ ...parts, allowedHost: [] } as never),
    ],
    [
      'RunFileOptions.locale must be "en" or "ja"; it is "fr".',
      () => formatRunFile({} as never, { locale: 'fr' } as never),
    ],
  ] satisfies readonly (readonly [string, () => unknown])[])(
    'names the option that it refuses: %s',
    (message, call) => {
      expect(call).toThrow(TypeError);
      expect(call).toThrow(message);
    },
  );
});
