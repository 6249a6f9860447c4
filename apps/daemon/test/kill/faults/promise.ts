/** What was promised to people and did not hold, each with what shows it. */
export interface BrokenPromise {
  readonly promise: PromiseName;
  readonly shown: string;
}

export type PromiseName =
  | 'each comment stands in exactly one message'
  | 'each request goes on from the one before'
  | 'nothing said in time is untold and unreported'
  | 'the report says told only of what was told'
  | 'only what was deleted is told as deleted, with its words'
  | 'who may give instructions is told as such, and nobody else'
  | 'a command is obeyed once, and not forgotten'
  | 'a run has one final comment'
  | 'a thread is worked on by one run at a time'
  | 'a label says processing only while something is open'
  | 'a label that a person gave leads to a run, or stays'
  | 'a step takes effect once'
  | 'branches are pushed to the project of the thread alone'
  | 'what is open is shown by status'
  | 'a record is whole'
  | 'a process ends when its work has ended'
  | 'an action is begun before it ends, and ends once'
  | 'no action begins without an approval that holds'
  | 'a plan keeps within its limits'
  | 'a question stands on the thread once'
  | 'the comment of a run stands once, and says that it ended'
  | 'the file of plans says what the record says'
  | 'an end is called what the record shows';
