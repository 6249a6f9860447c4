import { nameOfRun } from '@agent/orchestrator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanLine,
  cleanText,
  columnsOf,
  fitColumns,
  formatCount,
  formatDuration,
  padColumns,
} from './terminal-text.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('fitColumns', () => {
  it('is never wider than it may be, and leaves alone what fits', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 60 }), (text, columns) => {
        const fitted = fitColumns(text, columns);
        expect(columnsOf(fitted)).toBeLessThanOrEqual(columns);
        if (columnsOf(text) <= columns && columns > 0) expect(fitted).toBe(text);
      }),
    );
  });

  it('takes no longer for a text without end', () => {
    expect(fitColumns('あ'.repeat(5_000_000), 11)).toBe('あああああ…');
  });
});

describe('padColumns', () => {
  it('counts wide characters twice', () => {
    expect(padColumns('合計', 6)).toBe('合計  ');
  });
});

describe('cleanLine and cleanText', () => {
  it('leave nothing that moves the cursor, colors, or turns the line around', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanLine(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(cleanText(text)).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u);
      }),
    );
  });
});

describe('formatDuration and formatCount', () => {
  it.each([
    [0, '0s'],
    [59_999, '59s'],
    [61_000, '1m 01s'],
    [3_600_000, '1h 00m'],
    [90_000_000, '1d 1h'],
    [-5, '0s'],
  ])('%d ms is %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

  it.each([
    [999, '999'],
    [1_000, '1.0k'],
    [3_140_000, '3.1M'],
  ])('%d is %s', (count, text) => expect(formatCount(count)).toBe(text));
});

describe('nameOfRun', () => {
  it.each([
    ['github_issue:acme:shop:42', null, 'acme/shop#42'],
    ['github_pull_request:acme:shop:7', null, 'acme/shop#7'],
    ['gitlab_issue:12:5', 'https://gitlab.com/a/b/c/-/issues/5', 'a/b/c#5'],
    ['gitlab_merge_request:12:7', 'https://host/gitlab/a/b/-/merge_requests/7', 'gitlab/a/b!7'],
    ['gitlab_issue:12:5', null, 'gitlab_issue:12:5'],
    ['custom:notes:project:1', 'file:///x/1.md', 'custom:notes:project:1'],
  ])('%s at %s is %s', (taskKeyText, url, name) => expect(nameOfRun({ taskKeyText, url })).toBe(name));
});
