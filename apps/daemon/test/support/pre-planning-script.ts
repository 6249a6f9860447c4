import { type Script, toPreparationQuestion } from '@agent/simulators/model';

interface WantedFields {
  readonly description: string;
  /** Default true. */
  readonly can_assume?: boolean;
  /** Default: the path of a file by its id. */
  readonly parameters?: object;
}

/** One thing that the model wants to know, and the tool that it wants it from. */
export const need = (
  id: string,
  tool: string,
  { parameters = { path: `${id}.js` }, ...fields }: WantedFields,
) => ({
  id,
  category: 'codebase',
  purpose: `Why ${id} is needed.`,
  fallback_strategy: '',
  can_assume: true,
  default_assumption: null,
  ...fields,
  collection_method: { tool, parameters },
});

/** One that a tool gives, one that has to be assumed, one that is never assumed, one that a tool must not give. */
const usualNeeds = [
  need('total', 'read_file', { description: 'The code that sums up' }),
  need('rounding', 'read_file', { description: 'How sums are rounded' }),
  need('login', 'read_file', { description: 'The password of the shop account' }),
  need('tests', 'run_command', { description: 'What the tests print', can_assume: false }),
];

/** A model that gets ready for the bug of the test project, and then follows the script. */
export function withPreparation(script: Script, needs: readonly object[] = usualNeeds): Script {
  return (view) => {
    switch (toPreparationQuestion(view)) {
      case 'understanding':
        return toReply('request_understanding', {
          task_type: 'bug fix',
          primary_goal: 'The total counts quantities',
          expected_deliverables: ['a fixed total.js'],
          scope: { in_scope: ['total.js'], out_of_scope: ['the shop'] },
          understanding_confidence: 0.9,
        });
      case 'needs':
        return toReply('information_needs', { required_information: needs, collection_order: [] });
      case 'assumption':
        return toReply('assumption', {
          assumed_value: 'to two places',
          reasoning: 'money has cents',
          confidence: 0.8,
          refuted_by: 'a test that expects more',
        });
      default:
        return script(view);
    }
  };
}

function toReply(name: string, value: object) {
  return { text: JSON.stringify({ [name]: value }) };
}

/** The section `planning` of runs that pre-plan and then work without a plan. */
export function onlyPrePlanning(settings: Readonly<Record<string, unknown>> = {}) {
  return { enabled: false, pre_planning: { enabled: true, ...settings } };
}
