import { describe, expect, it } from 'vitest';
import { makeDecision, summaryLine, toUuid } from '../test/inheritance-setup.ts';
import { findKeyDecisions, parseSummaries } from './summaries.ts';

const lines = (...values: readonly (object | string)[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));

const parse = (all: readonly string[]) => parseSummaries(all, toUuid('a1'));

describe('the summary of a run', () => {
  it('is the last one [CI-29, C2]', () => {
    expect(parse(lines(summaryLine('first'), summaryLine(' last ')))).toMatchObject({
      text: 'last',
    });
  });

  it('is the one before where the last cannot be read, is empty, or says that there is none [CI-47] [CI-49]', () => {
    for (const bad of [
      '{"summary": "torn',
      'null',
      summaryLine('  \n'),
      summaryLine('[要約生成失敗: timeout]'),
      { id: 3 },
    ]) {
      expect(parse(lines(summaryLine('good'), bad))).toMatchObject({
        text: 'good',
        skippedLines: 1,
      });
    }
    expect(parse(lines('}{'))).toBeNull();
    expect(parse([])).toBeNull();
  });

  it('names its decisions and what they rest on [CI-31]', () => {
    const decisions = [
      { text: ' Pages begin at 1 ', source_comment_id: '7', source_sha256: 'ab' },
      { text: 'No new dependency', source_comment_id: null },
    ];
    expect(parse(lines(summaryLine('decided: nothing', decisions)))?.keyDecisions).toEqual([
      makeDecision({ source: { kind: 'comment', commentId: '7', sha256: 'ab' }, isTrusted: true }),
      makeDecision({ id: 'a1a1a1a1-2', text: 'No new dependency' }),
    ]);
  });

  it('of an earlier program is searched for them [CI-31]', () => {
    expect(parse(lines(summaryLine('- decided to wait')))?.keyDecisions).toEqual([
      makeDecision({ text: 'decided to wait' }),
    ]);
  });
});

describe('decisions in a text', () => {
  const find = (text: string) => findKeyDecisions(text).map((decision) => decision.text);

  it('are the items under a heading about them, in both languages, and items that speak of one [CI-31]', () => {
    const text = `# 要約
- 調査した
## 重要な決定事項
- ページは1から
* キーは小文字
## 残り
1. テストを書く
- APIの形を決定した
## Key decisions
- Keep the API
## Rest
- The mustard is yellow
- It must not throw`;
    expect(find(text)).toEqual([
      'ページは1から',
      'キーは小文字',
      'APIの形を決定した',
      'Keep the API',
      'It must not throw',
    ]);
  });

  it('are ten at most, each once', () => {
    const items = Array.from({ length: 30 }, (_, index) => `- decided ${index % 15}`);
    expect(find(items.join('\r\n'))).toHaveLength(10);
  });
});
