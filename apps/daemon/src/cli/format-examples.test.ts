import { expect, it } from 'vitest';
import { formatExamples } from './format-examples.ts';

it('lists commands and notes in two columns, with the note of a long command below it', () => {
  const long = 'init --platform github --repository acme/shop --yes';
  const examples = formatExamples([
    ['doctor', 'Check the setup'],
    [long, 'Ask nothing'],
    ['run --once', 'Run the waiting tasks'],
  ]);
  expect(examples).toBe(
    [
      '  agent-daemon doctor      Check the setup',
      `  agent-daemon ${long}`,
      '                           Ask nothing',
      '  agent-daemon run --once  Run the waiting tasks',
    ].join('\n'),
  );
});
