import { describe, expect, it } from 'vitest';
import { findInheritanceCommands, parseInheritanceCommands } from './inheritance-commands.ts';

describe('a command about the past', () => {
  it('is the first word of a line, at its start [CI-43] [CI-44] [CI-45] [CI-T7]', () => {
    expect(parseInheritanceCommands('/no-inherit')).toEqual(['/no-inherit']);
    expect(parseInheritanceCommands('Hello\r\n/fresh-start please\r\nthanks')).toEqual(['/fresh-start']);
    expect(parseInheritanceCommands('/No-Inherit\n／ｆｒｅｓｈ－ｓｔａｒｔ')).toEqual([
      '/no-inherit',
      '/fresh-start',
    ]);
    expect(parseInheritanceCommands('/show-history\n/no-inherit')).toEqual(['/show-history', '/no-inherit']);
    for (const text of [
      'please /no-inherit',
      ' /no-inherit',
      '/no-inherited',
      '/no-inherit/x',
      '/fresh',
      '',
    ]) {
      expect(parseInheritanceCommands(text), text).toEqual([]);
    }
  });

  it('is none in code or quotes [CI-T7]', () => {
    for (const text of [
      '> /no-inherit',
      '    /no-inherit',
      '`/no-inherit`',
      '```\n/no-inherit\n```',
      '~~~sh\n/no-inherit\n```\n/no-inherit',
      '````\n```\n/no-inherit\n````',
      '```\n/no-inherit',
      '```\n``` no end\n/no-inherit\n```',
      '- ```\n  code\n/no-inherit\n  ```',
      '10) a\n    ```\n/no-inherit',
    ]) {
      expect(parseInheritanceCommands(text), text).toEqual([]);
    }
    expect(parseInheritanceCommands('```\ncode\n```\n/no-inherit')).toEqual(['/no-inherit']);
    expect(parseInheritanceCommands('```a``` is code\n/no-inherit')).toEqual(['/no-inherit']);
  });
});

describe('the commands on a thread', () => {
  const said = (body: string, createdAt: string, isTrusted = true) => ({ body, createdAt, isTrusted });
  const since = '2026-11-01T10:00:00Z';

  it('count from trusted people, after the previous run ended [CI-16] [CI-T7]', () => {
    const none = { refusal: null, showsHistory: false };
    expect(findInheritanceCommands([said('/no-inherit', '2026-11-01T10:00:00Z')], { since })).toEqual(none);
    expect(findInheritanceCommands([said('/no-inherit', '2026-11-02T10:00:00Z', false)], { since })).toEqual(
      none,
    );
    expect(findInheritanceCommands([said('/no-inherit', '2026-11-01T19:00:01+09:00')], { since })).toEqual({
      refusal: 'no-inherit',
      showsHistory: false,
    });
  });

  it('in the issue count for a first run only [CI-T7]', () => {
    const issue = said('/fresh-start', '2026-10-01T00:00:00Z');
    expect(findInheritanceCommands([issue], { since: null }).refusal).toBe('fresh-start');
    expect(findInheritanceCommands([issue], { since }).refusal).toBeNull();
  });

  it('add up to the strongest refusal; a look at the history refuses nothing [CI-43] [CI-44] [CI-45]', () => {
    const later = (body: string) => said(body, '2026-11-02T00:00:00Z');
    const all = [later('/fresh-start'), later('/no-inherit'), later('/show-history')];
    expect(findInheritanceCommands(all, { since })).toEqual({ refusal: 'fresh-start', showsHistory: true });
    expect(findInheritanceCommands(all.slice(1), { since })).toEqual({
      refusal: 'no-inherit',
      showsHistory: true,
    });
    expect(findInheritanceCommands(all.slice(2), { since })).toEqual({ refusal: null, showsHistory: true });
  });
});
