import { describe, expect, it } from 'vitest';
import { parseRejections } from './reject-assumptions.ts';

const bothEmpty = ['A1', 'A2'].map((label) => ({ label, reason: '' }));

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
    ['/reject A1は誤り', [{ label: 'A1', reason: '誤り' }]],
    ['/reject A1はい、違います', [{ label: 'A1', reason: 'はい、違います' }]],
    ['/reject A1理由', [{ label: 'A1', reason: '理由' }]],
    ['/reject A1、理由', [{ label: 'A1', reason: '理由' }]],
    ['／reject Ａ１', [{ label: 'A1', reason: '' }]],
    ['/Reject A1', [{ label: 'A1', reason: '' }]],
    ['/reject　A1　理由', [{ label: 'A1', reason: '理由' }]],
    ['/reject A1 -5 is right', [{ label: 'A1', reason: '-5 is right' }]],
    ['/reject A1 - it is PostgreSQL', [{ label: 'A1', reason: 'it is PostgreSQL' }]],
    ['/reject A1 and the rest', [{ label: 'A1', reason: 'and the rest' }]],
    ['/reject A1 and A2', bothEmpty],
    ['/reject A1, A2', bothEmpty],
    ['/reject A1、A2', bothEmpty],
    ['/reject A1 & A2', bothEmpty],
    ['/reject A1とA2', bothEmpty],
    ['/reject A1 A2', bothEmpty],
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
    '- ```\n  code\n/reject A2\n  ```',
    '10) a\n    ```\n/reject A2',
    '/rejected A2',
    '/reject',
    '/reject the plan',
    '/reject A2b',
    '/reject B2',
    '/reject A1ｂ',
    '／／reject A1',
    '/rejectA1',
  ])('hears no command in %j', (body) => {
    expect(parseRejections(body)).toEqual([]);
  });

  it('reads a command after code that ended', () => {
    expect(parseRejections('```a``` is code\n```\nx\n```\n/reject A1')).toHaveLength(1);
  });
});
