import type { PrePlanningState } from '@agent/pre-planning';
import { readPlanningState } from '@agent/runner/planning';
import { createSecretFilters } from '@agent/text/outgoing';
import { describe, expect, it } from 'vitest';
import { planningSchema } from '../config/planning-settings.ts';
import {
  formatProgress,
  type PrePlanningSections,
  type ProgressView,
  toPrePlanningSections,
} from './format-progress.ts';

const need = (id: string, description: string) => ({
  id,
  description,
  category: 'codebase' as const,
  purpose: '',
  collection_method: { tool: 'read_file', parameters: {} },
  fallback_strategy: '',
  can_assume: true,
  default_assumption: null,
});

const state = {
  current_subphase: 'complete',
  understanding_result: {
    task_type: 'bug_fix',
    primary_goal: 'The total counts quantities',
    expected_deliverables: ['A fix in total.js', 'A test'],
    constraints: [],
    scope: { in_scope: ['total.js'], out_of_scope: ['the shop'] },
    understanding_confidence: 0.86,
    ambiguities: [],
  },
  collection_plan: {
    required_information: [
      need('code', 'The code that sums up'),
      need('rounding', 'How sums are rounded'),
      need('password', 'The password of the shop account'),
      need('tests', 'What the tests print'),
    ],
    collection_order: ['code', 'rounding', 'password', 'tests'],
    skip_collection: false,
    skip_reason: '',
  },
  collection_results: [
    { info_id: 'code', status: 'collected' },
    { info_id: 'rounding', status: 'assumed' },
  ],
  assumptions: [
    {
      label: 'A1',
      info_id: 'rounding',
      assumed_value: 'to two places',
      reasoning: 'money has cents',
      confidence: 0.8,
      refuted_by: 'a price in yen',
    },
  ],
  information_gaps: [{ info_id: 'password', description: '', impact: '', reason: 'must not be assumed' }],
  assumption_count: 1,
  constraints: [],
  new_comments: [],
  understood_comments: 0,
  announced: [],
} as unknown as PrePlanningState;

interface ShowOptions {
  readonly locale?: 'en' | 'ja';
  readonly isOver?: boolean;
  readonly hasBegun?: boolean;
  readonly secrets?: readonly string[];
  readonly sections?: PrePlanningSections;
}

const show = (
  change: Partial<PrePlanningState> = {},
  {
    locale = 'en',
    isOver = false,
    hasBegun = false,
    secrets = [] as readonly string[],
    ...shown
  }: ShowOptions = {},
) =>
  formatProgress({ prePlanning: { ...state, ...change }, hasBegun, plan: null } satisfies ProgressView, {
    ...shown,
    timeZone: 'UTC',
    locale,
    redactOutgoing: createSecretFilters(secrets).redactOutgoing,
    isOver,
  });

describe('the progress of a run that pre-plans', () => {
  it('shows what was understood, collected and assumed, and how an assumption is rejected [NX-126]', () => {
    expect(show()).toMatchInlineSnapshot(`
      "**Now:** starting to work

      ### 📋 Understanding

      - **Main goal:** The total counts quantities
      - **Task type:** bug_fix · **confidence:** 86%
      - **In scope:** total.js
      - **Out of scope:** the shop
      - **Expected deliverables:**
        - A fix in total.js
        - A test

      ### ⚠️ Assumptions

      - **A1** How sums are rounded: to two places (confidence: 80%; reason: money has cents)
        - Signs that it is wrong: a price in yen

      If an assumption is wrong, comment \`/reject A1 <reason>\`.

      ### 📚 Information

      - ✅ The code that sums up
      - ⚠️ How sums are rounded (assumed, A1)
      - ➖ The password of the shop account (must not be assumed)
      - ➖ What the tests print"
    `);
  });

  it('shows the same in Japanese [NX-126]', () => {
    expect(show({ current_subphase: 'collection' }, { locale: 'ja' })).toMatchInlineSnapshot(`
      "**現在:** 情報を収集しています (2/4)

      ### 📋 依頼内容の理解

      - **主な目標:** The total counts quantities
      - **タスク種別:** bug_fix · **理解の確信度:** 86%
      - **対象:** total.js
      - **対象外:** the shop
      - **期待される成果物:**
        - A fix in total.js
        - A test

      ### ⚠️ 推測事項

      - **A1** How sums are rounded: to two places (理由: money has cents、確信度: 80%)
        - 誤りとなる条件: a price in yen

      推測が誤っている場合は \`/reject A1 理由\` のようにコメントしてください。

      ### 📚 収集した情報

      - ✅ The code that sums up
      - ⚠️ How sums are rounded (推測、A1)
      - ➖ The password of the shop account (未取得、must not be assumed)
      - ⏳ What the tests print"
    `);
  });

  it('shows what is still open while it collects, and nothing before it understood [NX-126]', () => {
    const results = state.collection_results.slice(0, 1);
    const open = { current_subphase: 'collection' as const, collection_results: results, assumptions: [] };
    expect(show({ ...open, information_gaps: [] })).toContain(
      [
        '- ✅ The code that sums up',
        '- ⏳ How sums are rounded',
        '- ⏳ The password of the shop account',
        '- ⏳ What the tests print',
      ].join('\n'),
    );
    expect(show({ ...open })).toContain('**Now:** collecting information (1 of 4 done)');
    expect(
      show({
        current_subphase: 'understanding',
        understanding_result: null,
        collection_plan: null,
        assumptions: [],
      }),
    ).toBe('**Now:** analyzing the task');
  });

  it('shows an assumption that somebody rejected as what must not be relied on [NX-126]', () => {
    const said = show({
      assumptions: [],
      constraints: ['Assumption A1 (Rounding: to two places) was rejected. Reason: yen have no cents'],
    });
    expect(said).toContain(
      '- 🚫 Assumption A1 (Rounding: to two places) was rejected. Reason: yen have no cents',
    );
    expect(said).not.toContain('/reject');
  });

  it('says nothing of what goes on once the run is over, and offers nothing any more [NX-126]', () => {
    const said = show({ current_subphase: 'collection' }, { isOver: true });
    expect(said).not.toMatch(/Now:|⏳|\/reject/);
    expect(said).toContain('- ➖ What the tests print');
  });

  it('says so where pre-planning ended early', () => {
    expect(show({ current_subphase: 'assumption' }, { hasBegun: true })).toContain(
      'Collecting information ended early',
    );
    expect(show({}, { hasBegun: true })).not.toContain('Collecting information ended early');
  });

  it('repeats no secret, calls nobody and formats nothing of what a model wrote [NX-126]', () => {
    const understanding = {
      ...state.understanding_result,
      primary_goal: 'ask @alice\n## fixes #1 <img src=x> plum orchard lane',
    } as PrePlanningState['understanding_result'];
    const said = show({ understanding_result: understanding }, { secrets: ['plum orchard lane'] });
    expect(said).toContain('ask @\u200balice ## fixes #\u200b1 &lt;img src=x> [REDACTED]');
  });

  it('stays far below what a platform takes, whatever a model wrote [NX-126]', () => {
    const plan = {
      ...state.collection_plan,
      collection_order: Array.from({ length: 500 }, () => 'long'),
      required_information: [need('long', 'x'.repeat(900))],
    } as PrePlanningState['collection_plan'];
    const said = show({ collection_plan: plan });
    expect(said.length).toBeLessThanOrEqual(20_000);
    expect(said.endsWith('…')).toBe(true);
    expect(said.includes('### 📋 Understanding') && said.includes('### ⚠️ Assumptions')).toBe(true);
  });
});

const readSections = (notification: object) =>
  toPrePlanningSections(planningSchema.parse({ pre_planning: { notification } }).pre_planning.notification);

/** State of each key's section, and a line of it in each language. */
const switched = {
  notify_on_start: [
    { current_subphase: 'understanding' },
    '**Now:** analyzing the task',
    '**現在:** 依頼内容を理解しています',
  ],
  notify_on_understanding_complete: [{}, '### 📋 Understanding', '### 📋 依頼内容の理解'],
  notify_on_collection_start: [
    { current_subphase: 'collection', collection_results: [], assumptions: [], information_gaps: [] },
    '- ⏳ The code that sums up',
    '- ⏳ The code that sums up',
  ],
  notify_on_collection_complete: [{}, '- ✅ The code that sums up', '- ✅ The code that sums up'],
  notify_on_assumption: [{}, '### ⚠️ Assumptions', '### ⚠️ 推測事項'],
} as const satisfies Record<
  string,
  readonly [Partial<Record<keyof PrePlanningState, unknown>>, string, string]
>;

describe.each(Object.entries(switched))('planning.pre_planning.notification.%s', (key, [change, en, ja]) => {
  it.each([
    ['en', en],
    ['ja', ja],
  ] as const)(
    'switches its section of the one comment, and no other, in the locale %s [PP-41..PP-44, E8]',
    (locale, line) => {
      const showWith = (value: boolean) =>
        show(change as Partial<PrePlanningState>, { locale, sections: readSections({ [key]: value }) });
      expect(showWith(true)).toBe(show(change as Partial<PrePlanningState>, { locale }));
      expect(showWith(true)).toContain(line);
      expect(showWith(false)).not.toContain(line);
      for (const [other, [, ...lines]] of Object.entries(switched))
        for (const one of other === key || other === 'notify_on_start' ? [] : lines)
          expect(showWith(false).includes(one)).toBe(showWith(true).includes(one));
    },
  );
});

describe('the sections of pre-planning', () => {
  it('name assumed values among the information if assumptions have no section', () => {
    const said = show({}, { sections: readSections({ notify_on_assumption: false }) });
    expect(said).toContain(
      '- ⚠️ How sums are rounded (assumed, A1): to two places (confidence: 80%; reason: money has cents)',
    );
    expect(said).toContain('comment `/reject A1 <reason>`');
  });

  it('list what is to be collected, without results, if only the start of the collection is shown', () => {
    const sections = readSections({ notify_on_collection_complete: false });
    const planned = '### 🗂️ Information to collect\n\n- The code that sums up\n- How sums are rounded';
    expect(show({ current_subphase: 'collection' }, { sections })).toContain(planned);
    expect(show({}, { sections })).toContain(planned);
    const none = readSections({ notify_on_collection_start: false, notify_on_collection_complete: false });
    expect(show({}, { sections: none })).not.toContain('The code that sums up');
  });

  it('are all shown by default', () => {
    expect(show({}, { sections: readSections({}) })).toBe(show());
  });

  it('say that the plan follows', () => {
    const words = {
      timeZone: 'UTC',
      locale: 'ja',
      redactOutgoing: (text: string) => text,
      isOver: false,
    } as const;
    const said = formatProgress({ prePlanning: state, hasBegun: false, plan: null }, words);
    expect(said).toContain('**現在:** 作業を始めています');
    const planned = { ...state, current_subphase: 'complete' as const };
    expect(
      formatProgress({ prePlanning: planned, hasBegun: false, plan: readPlanningState([]) }, words),
    ).toContain('**現在:** 計画を作成しています');
  });
});
