import type * as Discord from 'discord-api-types/v10';

type What<Payload> = Payload extends { readonly t: infer Type; readonly d: infer Data }
  ? { readonly t: Type; readonly d: Data }
  : never;

/** The events that this Discord sends once a session stands. */
export type Dispatch = What<
  | Discord.GatewayMessageCreateDispatch
  | Discord.GatewayMessageUpdateDispatch
  | Discord.GatewayMessageDeleteDispatch
  | Discord.GatewayMessageReactionAddDispatch
  | Discord.GatewayChannelCreateDispatch
  | Discord.GatewayChannelUpdateDispatch
  | Discord.GatewayThreadCreateDispatch
  | Discord.GatewayThreadUpdateDispatch
  | Discord.GatewayThreadDeleteDispatch
  | Discord.GatewayTypingStartDispatch
  | Discord.GatewayGuildRoleModifyDispatch
>;

/** An event and the channel it happened in; null: in the guild. */
export interface Happening {
  readonly dispatch: Dispatch;
  readonly channelId: string | null;
}
