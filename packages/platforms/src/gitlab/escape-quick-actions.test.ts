import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeQuickActions } from './escape-quick-actions.ts';

describe('escapeQuickActions', () => {
  it('shows a line that GitLab would carry out', () => {
    expect(escapeQuickActions('Done.\n/close\n  /merge now\r\n/LABEL ~bug\n/unassign_me')).toBe(
      'Done.\n\\/close\n  \\/merge now\r\n\\/LABEL ~bug\n\\/unassign_me',
    );
  });

  it('leaves paths, fractions and slashes within a line as they are', () => {
    const text = '/usr/bin/node\n/ \n1/2\nsee /close\n`/close`\n//comment\n> /close';
    expect(escapeQuickActions(text)).toBe(text);
  });

  it('changes nothing more when it is done again', () => {
    const line = fc.constantFrom('/close', '/merge x', 'text', '```', ' /a_b', '/usr/x', '');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const once = escapeQuickActions(lines.join('\n'));
        expect(escapeQuickActions(once)).toBe(once);
        expect(once).not.toMatch(/^\s*\/[a-z_]+(?:\s|$)/imu);
      }),
    );
  });
});
