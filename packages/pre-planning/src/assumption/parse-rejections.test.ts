import { describe, expect, it } from 'vitest';
import { parseRejections } from './parse-rejections.ts';

describe('parseRejections', () => {
  it.each([
    ['/reject A2 it is PostgreSQL', [{ label: 'A2', reason: 'it is PostgreSQL' }]],
    ['/reject a2', [{ label: 'A2', reason: '' }]],
    ['/reject A02: no', [{ label: 'A2', reason: 'no' }]],
    ['/reject Ａ１０　違います', [{ label: 'A10', reason: '違います' }]],
    [
      '/reject A1, A3 both are wrong',
      [
        { label: 'A1', reason: 'both are wrong' },
        { label: 'A3', reason: 'both are wrong' },
      ],
    ],
    [
      'Thanks!\r\n/reject A1 a\n/reject A2 b',
      [
        { label: 'A1', reason: 'a' },
        { label: 'A2', reason: 'b' },
      ],
    ],
    ['/reject A1 first\n/reject A1 second', [{ label: 'A1', reason: 'second' }]],
  ])('reads %j', (body, rejections) => {
    expect(parseRejections(body)).toEqual(rejections);
  });

  it.each([
    'please /reject A2',
    ' /reject A2',
    '> /reject A2',
    '`/reject A2`',
    '```\n/reject A2\n```',
    '~~~\n/reject A2',
    '/rejected A2',
    '/reject',
    '/reject the plan',
    '/reject A2b',
    '/reject B2',
  ])('hears no command in %j', (body) => {
    expect(parseRejections(body)).toEqual([]);
  });

  it('reads a command after code that ended', () => {
    expect(parseRejections('```a``` is code\n```\nx\n```\n/reject A1')).toHaveLength(1);
  });
});
