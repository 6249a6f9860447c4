import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { planningSchema, readPlanningChoice } from './planning-settings.ts';

function read(section: unknown, environment: Record<string, string> = {}) {
  const warned: string[] = [];
  const logger = pino({}, { write: (line) => void warned.push(JSON.parse(line).variable) });
  return { ...readPlanningChoice(planningSchema.parse(section), { environment, logger }), warned };
}

describe('how runs plan', () => {
  it('is chosen by `planning.enabled`, and pre-planning goes with it unless its own key says otherwise [PP-35]', () => {
    expect(read(undefined).planning).not.toBeNull();
    expect(read({})).toMatchObject({
      planning: { max_subtasks: 100 },
      prePlanning: { enabled: true, understanding: { confidence_threshold: 0.7 } },
    });
    expect(read({ enabled: false })).toMatchObject({ planning: null, prePlanning: null });
    expect(read({ pre_planning: { enabled: false } })).toMatchObject({ planning: {}, prePlanning: null });
    const apart = read({ enabled: false, pre_planning: { enabled: true } });
    expect(apart).toMatchObject({ planning: null, prePlanning: { enabled: true } });
  });

  it('is said by the environment before the file; what is of no use there is not heeded [PP-45, PP-46]', () => {
    const on = read(
      { enabled: false },
      { PRE_PLANNING_ENABLED: 'true', PRE_PLANNING_CONFIDENCE_THRESHOLD: '0.9' },
    );
    expect(on.prePlanning).toMatchObject({ understanding: { confidence_threshold: 0.9 } });
    expect(read({}, { PRE_PLANNING_ENABLED: 'false' }).prePlanning).toBeNull();
    const useless = { PRE_PLANNING_ENABLED: 'perhaps', PRE_PLANNING_CONFIDENCE_THRESHOLD: '7' };
    expect(read({}, useless).prePlanning).toMatchObject({ understanding: { confidence_threshold: 0.7 } });
    expect(read({}, useless).warned).toEqual(Object.keys(useless));
  });

  it('hears a variable for each key that people change, of planning and replanning', () => {
    const environment = {
      PLANNING_ENABLED: 'on',
      PLANNING_STRATEGY: 'chain_of_thought',
      PLANNING_MAX_SUBTASKS: '12',
      REFLECTION_ENABLED: '0',
      REFLECTION_INTERVAL: '1',
      MAX_PLAN_REVISIONS: '4',
      REPLANNING_ENABLED: 'no',
      REPLANNING_MIN_CONFIDENCE: '.75',
      MAX_TOTAL_REPLANS: '6',
    };
    const { planning, prePlanning, warned } = read({ enabled: false }, environment);
    expect(planning).toMatchObject({
      max_subtasks: 12,
      reflection: { enabled: false, trigger_interval: 1 },
      revision: { max_revisions: 4 },
      replanning: {
        enabled: false,
        llm_decision: { min_confidence_threshold: 0.75 },
        global: { max_total_replans: 6 },
      },
    });
    expect([prePlanning?.enabled, warned]).toEqual([true, []]);
    expect(read({}, { PLANNING_ENABLED: 'false' })).toMatchObject({ planning: null, prePlanning: null });
  });

  it('keeps the file’s value where a variable holds no valid one, and says which', () => {
    const environment = {
      PLANNING_STRATEGY: 'guess',
      PLANNING_MAX_SUBTASKS: 'many',
      REFLECTION_INTERVAL: '-1',
      REPLANNING_ENABLED: '2',
      REPLANNING_MIN_CONFIDENCE: '1.7',
    };
    const { planning, warned } = read({ max_subtasks: 7 }, environment);
    expect(planning).toMatchObject({
      strategy: 'chain_of_thought',
      max_subtasks: 7,
      reflection: { trigger_interval: 3 },
      replanning: { enabled: true, llm_decision: { min_confidence_threshold: 0.5 } },
    });
    expect(warned).toEqual(Object.keys(environment));
  });
});
