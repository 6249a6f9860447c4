import {
  type GatewayGuildCreateDispatchData,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildMFALevel,
  GuildNSFWLevel,
  GuildPremiumTier,
  type GuildSystemChannelFlags,
  GuildVerificationLevel,
  Locale,
} from 'discord-api-types/v10';
import { botMay } from '../permissions/bot-may.ts';
import { isDirect, isThread, type World } from '../state/world.ts';
import { guildChannelPayload } from './channel-payload.ts';
import { memberWithUserPayload } from './member-payload.ts';
import { rolePayload } from './role-payload.ts';
import { joinedThreadPayload } from './thread-payload.ts';

/**
 * The guild as a session gets it first: without the intents for people the bot is the only member listed, and
 * archived threads are not listed at all.
 *
 * @see https://docs.discord.com/developers/events/gateway-events#guild-create
 */
export function guildPayload(world: World): GatewayGuildCreateDispatchData {
  const bot = memberWithUserPayload(world, world.bot);
  const channels = [...world.channels.values()].filter((channel) => botMay(world, channel, 'ViewChannel'));
  return {
    ...settings(world),
    roles: [...world.roles.values()].map(rolePayload),
    joined_at: bot.joined_at ?? '',
    large: false,
    unavailable: false,
    member_count: world.users.size,
    members: [bot],
    channels: channels
      .filter((channel) => !isThread(channel) && !isDirect(channel))
      .map((channel) => guildChannelPayload(world, channel)),
    threads: channels.flatMap((channel) =>
      channel.thread === null || channel.thread.archived
        ? []
        : [joinedThreadPayload(world, channel, channel.thread)],
    ),
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

function settings(world: World) {
  return {
    id: world.guildId,
    name: 'Simulated guild',
    owner_id: world.ownerId,
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    afk_channel_id: null,
    afk_timeout: 300 as const,
    verification_level: GuildVerificationLevel.None,
    default_message_notifications: GuildDefaultMessageNotifications.OnlyMentions,
    explicit_content_filter: GuildExplicitContentFilter.Disabled,
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: GuildMFALevel.None,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0 as GuildSystemChannelFlags,
    rules_channel_id: null,
    vanity_url_code: null,
    premium_tier: GuildPremiumTier.None,
    premium_progress_bar_enabled: false,
    preferred_locale: Locale.EnglishUS,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    nsfw_level: GuildNSFWLevel.Default,
    hub_type: null,
    incidents_data: null,
  } satisfies Partial<GatewayGuildCreateDispatchData>;
}
