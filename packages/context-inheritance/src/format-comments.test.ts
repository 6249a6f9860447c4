import { describe, expect, it } from 'vitest';
import { makeContext, toUuid } from '../test/inheritance-setup.ts';
import { formatHistory, formatInheritanceNotice, type HistoryItem } from './format-comments.ts';

describe('the notice at the start', () => {
  it("is the seed's, to the letter [CI-46, C13]", () => {
    expect(
      formatInheritanceNotice(makeContext(), { kinds: ['summary', 'plans'], locale: 'ja' }),
    ).toMatchInlineSnapshot(`
      "📋 **過去のコンテキストを引き継ぎました**

      - 引き継ぎ元: #a1a1a1a1
      - 前回処理日時: 2026-11-01 10:00:00 UTC
      - 引き継ぎ内容: 要約、計画履歴

      過去の処理内容を考慮して、現在の要求に対応します。"
    `);
  });

  it('names what was really taken over, in English unless told otherwise, in the time zone of people [CI-46] [NX-55] [C13]', () => {
    const zone = { timeZone: 'Asia/Tokyo' } as const;
    expect(
      formatInheritanceNotice(makeContext(), { kinds: ['summary', 'plans', 'tools'], ...zone }),
    ).toMatchInlineSnapshot(`
      "📋 **Inherited the context of earlier runs**

      - From: #a1a1a1a1
      - Last processed: 2026-11-01 19:00:00 GMT+9
      - Inherited: summary, plan history, tool history

      I'll take the earlier work into account for the current request."
    `);
    expect(formatInheritanceNotice(makeContext(), { kinds: ['summary'], locale: 'ja' })).toContain(
      '- 引き継ぎ内容: 要約\n',
    );
  });
});

describe('the history that /show-history asks for', () => {
  const item: HistoryItem = {
    uuid: toUuid('a1'),
    status: 'completed',
    completedAt: '2026-11-01T10:00:00Z',
    inheritanceDepth: 2,
    summary: 'ping @mona\n`code`',
  };
  const failed: HistoryItem = { ...item, uuid: toUuid('b2'), status: 'failed', summary: null };

  it('lists runs with status, time, depth and the beginning of the summary, as code [CI-45]', () => {
    expect(formatHistory([item, failed], { locale: 'ja' })).toMatchInlineSnapshot(`
      "## 📜 過去の処理履歴

      - **#a1a1a1a1** 完了, 2026-11-01 10:00:00 UTC, 引き継ぎの深さ 2
        \`\` ping @mona \`code\` \`\`
      - **#b2b2b2b2** 失敗, 2026-11-01 10:00:00 UTC, 引き継ぎの深さ 2
        要約なし"
    `);
    expect(formatHistory([item, failed])).toMatchInlineSnapshot(`
      "## 📜 Processing history

      - **#a1a1a1a1** completed, 2026-11-01 10:00:00 UTC, inheritance depth 2
        \`\` ping @mona \`code\` \`\`
      - **#b2b2b2b2** failed, 2026-11-01 10:00:00 UTC, inheritance depth 2
        no summary"
    `);
  });

  it('cuts a summary after 200 characters, never through one [CI-45]', () => {
    const text = formatHistory([{ ...item, summary: '🙂'.repeat(201) }]);
    expect(text).toContain(`\`${'🙂'.repeat(200)}…\``);
    expect(formatHistory([{ ...item, summary: '🙂'.repeat(200) }])).not.toContain('…');
  });

  it('says that there is none [CI-45]', () => {
    expect(formatHistory([], { locale: 'ja' })).toBe('## 📜 過去の処理履歴\n\n過去の処理履歴はありません。');
    expect(formatHistory([])).toBe('## 📜 Processing history\n\nThere are no earlier runs.');
  });
});
