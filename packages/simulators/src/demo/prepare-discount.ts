import { type ConversationView, type PreparationQuestion, toPreparationQuestion } from '../model/index.ts';
import { demoGuess, demoRounding } from './demo-project.ts';
import { scriptNotice } from './plan-discount.ts';

/** An answer before the first step: as the daemon reads it, and as the log shows it. */
export interface PreparedAnswer {
  readonly question: PreparationQuestion;
  readonly json: object;
  readonly inWords: string;
}

/** Where a command that must not run while collecting would leave its trace. */
export const resultsFile = 'test-results.txt';

/** What the demonstration's model answers before the first step, from what it is shown; null for a step itself. */
export function prepareDiscount(view: ConversationView): PreparedAnswer | null {
  const question = toPreparationQuestion(view);
  if (question === null) return null;
  const asked = view.messages.map(({ text }) => text).join('\n');
  return {
    question,
    ...{ understanding: understand, needs: planCollection, assumption: assume }[question](asked),
  };
}

type Answer = Omit<PreparedAnswer, 'question'>;

function understand(asked: string): Answer {
  const title = quoteOf(asked, 'title');
  const wanted = /It should be ([\d.]+\d)/.exec(quoteOf(asked, 'description'))?.[1];
  const goal = `Fix “${title}”${wanted === undefined ? '' : `: the total should be ${wanted}`}`;
  const singlePrices = asked.includes('prices on the shelf are right');
  return {
    json: {
      phase: 'request_understanding',
      request_understanding: {
        task_type: /\bbug\b/.test(quoteOf(asked, 'labels')) ? 'bug fix' : 'change',
        primary_goal: goal,
        expected_deliverables: ['a correct total', `a passing \`${testFileOf(asked)}\``],
        constraints: singlePrices ? ['prices on the shelf are right and stay unchanged'] : [],
        scope: { in_scope: ['the total of a basket'], out_of_scope: ['the till itself'] },
        understanding_confidence: wanted === undefined ? 0.6 : 0.9,
        ambiguities: [],
      },
    },
    inWords: `${scriptNotice}\nThe goal: ${goal}.`,
  };
}

function planCollection(asked: string): Answer {
  const needs = listNeeds(testFileOf(asked));
  return {
    json: {
      phase: 'information_planning',
      information_needs: { required_information: needs, collection_order: [], skip_collection: false },
    },
    inWords: `I need ${needs.length} pieces of information, such as “${needs[0]?.description}” with ${needs[0]?.collection_method.tool}.`,
  };
}

/** Nobody wrote down how the till rounds; what the code does is the best guess there is. */
function assume(asked: string): Answer {
  const id = /^id: (\S+)$/m.exec(asked)?.[1] ?? '';
  const isSeen = id === 'rounding' && asked.includes(demoRounding.perLine);
  const value = isSeen ? 'per line' : '';
  return {
    json: {
      assumption: {
        info_id: id,
        assumed_value: value,
        reasoning: isSeen ? 'takeOff rounds, and totalOf calls it for every line' : '',
        confidence: isSeen ? 0.6 : 0,
        refuted_by: isSeen ? 'a receipt is off by a cent' : '',
      },
    },
    inWords: `My assumption about “${id}”: ${isSeen ? `${value}; I am 60% sure` : 'none'}.`,
  };
}

/** Seven that tools give, one that has to be assumed, one that is never assumed, one that a tool must not give. */
function listNeeds(testFile: string) {
  const source = testFile.replace(/^test\/(.*)\.test\.js$/, 'src/$1.js');
  return [
    need('files', 'The files of the repository', ['list_files', {}]),
    need('discount', 'Where a discount is applied', ['search_files', { pattern: 'percent', glob: '*.js' }]),
    need('source', 'The code under test', ['read_file', { path: source }]),
    need('test', 'The test that the issue names', ['read_file', { path: testFile }]),
    need('setup', 'How to run the tests', ['read_file', { path: 'package.json' }]),
    need('units', 'The unit of amounts', ['read_file', { path: 'README.md' }], {
      category: 'context',
    }),
    need('others', 'Other issues about discounts', ['search_threads', { query: 'discount' }], {
      category: 'external',
    }),
    need(
      'rounding',
      'Whether discounts are rounded per line or once',
      ['search_files', { pattern: 'round', ignore_case: true, glob: '*.md' }],
      { category: 'context' },
    ),
    // Started tests write a file: no tool that only reads.
    need(
      'results',
      'What the tests print now',
      [
        'run_command',
        {
          command: 'node',
          args: ['--test', '--test-reporter=tap', `--test-reporter-destination=${resultsFile}`],
        },
      ],
      { purpose: 'to see what fails', can_assume: false },
    ),
    // A model may well say that this can be assumed, and even how.
    need('login', 'The login data for the till', ['read_file', { path: 'till.txt' }], {
      category: 'external',
      purpose: 'to reproduce what @jonas saw',
      default_assumption: demoGuess,
    }),
  ];
}

function need(
  id: string,
  description: string,
  [tool, parameters]: readonly [string, object],
  further: object = {},
) {
  return {
    id,
    category: 'codebase',
    description,
    purpose: 'to fix the total',
    collection_method: { tool, parameters },
    fallback_strategy: '',
    can_assume: true,
    default_assumption: null,
    ...further,
  };
}

/** The file that the issue names. */
function testFileOf(asked: string): string {
  return /`([\w./-]+)`/.exec(quoteOf(asked, 'description'))?.[1] ?? '';
}

/** What stands between the marks that the daemon puts around what others wrote. */
function quoteOf(asked: string, what: string): string {
  return new RegExp(`${what}:\\n=+ BEGIN TEXT .*\\n([\\s\\S]*?)\\n=+ END TEXT`).exec(asked)?.[1] ?? '';
}
