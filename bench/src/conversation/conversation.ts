/** What people do on a thread while a program works. */
export type PersonAct =
  | { readonly do: 'say'; readonly id: string; readonly by: string; readonly text: string }
  | { readonly do: 'edit'; readonly id: string; readonly text: string }
  | { readonly do: 'delete'; readonly id: string };

/** An act and its time: the turn of the model in whose request's wait it is done. Turn 1 is the first request. */
export type TimedAct = PersonAct & { readonly turn: number };

/** A conversation to replay: a task, the turns of the model that it takes, and what people do meanwhile, in order. */
export interface Conversation {
  readonly name: string;
  readonly task: string;
  /** Turns of the model: all but the last call a tool, the last one answers. */
  readonly turns: number;
  readonly acts: readonly TimedAct[];
}
