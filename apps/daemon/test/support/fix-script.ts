import { followSteps, type Script } from '@agent/simulators/model';

/** A model that finds the bug of the test project, mends it, runs its tests and reports. */
export const fixScript: Script = followSteps([
  { toolCalls: [{ name: 'list_files', input: {} }] },
  { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] },
  {
    text: 'The quantity is missing.',
    toolCalls: [
      {
        name: 'edit_file',
        input: { path: 'total.js', old_text: 'line.price', new_text: 'line.price * line.quantity' },
      },
    ],
  },
  { toolCalls: [{ name: 'run_command', input: { command: 'node', args: ['total.test.js'] } }] },
  (view) => {
    const tests = view.exchanges.findLast((exchange) => exchange.name === 'run_command')?.output ?? '';
    return {
      text: /fail 0/.test(tests)
        ? 'total counts quantities now; the tests pass.'
        : `The tests fail: ${tests}`,
    };
  },
]);

/** A model that looks at the test project and has nothing to change. */
export const answerScript: Script = readingFirst(() => ({
  text: 'Nothing needs to change: it works as described.',
}));

/** The same model, which reads a file of the test project before it says anything. */
export function readingFirst(script: Script): Script {
  return (view) => {
    // A call that was interrupted has another result.
    const hasRead = view.exchanges.some(
      ({ name, output }) => name === 'read_file' && output.includes('total'),
    );
    return hasRead ? script(view) : { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] };
  };
}
