import { followSteps, type Script } from '@agent/simulators/model';

const edit = { path: 'total.js', old_text: 'line.price', new_text: 'line.price * line.quantity' };

/** Five model calls: look, read, mend, run the tests, report. */
export const mendingScript: Script = followSteps([
  { toolCalls: [{ name: 'list_files', input: {} }] },
  { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] },
  { toolCalls: [{ name: 'edit_file', input: edit }] },
  { toolCalls: [{ name: 'run_command', input: { command: 'node', args: ['--test'] } }] },
  { text: 'The total counts quantities now; the tests pass.' },
]);

/** Two model calls that change nothing: a run that has read nothing would end as failed. */
export const answeringScript: Script = followSteps([
  { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] },
  { text: 'Nothing needs to change: it works as described.' },
]);
