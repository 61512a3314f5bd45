// Plays scenes on the server that the page came from.
import { createEncounter, getView, sendCommand, takeSeat } from '../lib/api'
import { Session } from '../lib/session.svelte'
import { uuid } from '../lib/uuid'
import { scenes, type Scene, type SceneName } from './scenes'

/** One moment of a fight as everybody sees it; nothing moves any more. */
export interface Still {
  name: SceneName
  title: string
  gm: Session
  player: Session
  spectator: Session
}

export async function still(name: SceneName): Promise<Still> {
  const scene: Scene = scenes[name]
  const { id, tokens } = await createEncounter({ rules: scene.rules ?? 'dnd5e', title: scene.title, options: scene.options ?? {} })
  const send = (command: Parameters<typeof sendCommand>[3], token: string) => sendCommand(id, token, uuid(), command)
  const seat = await scene.play({
    do: async (...commands) => {
      for (const command of commands) await send(command, tokens.gm!)
    },
    send,
    seat: (who) => takeSeat(id, tokens.player!, who),
    view: () => getView(id, tokens.gm!),
  })
  const look = async (token: string) => {
    const session = new Session(id, token)
    session.show(await getView(id, token), [])
    session.status = 'live'
    return session
  }
  return { name, title: scene.title, gm: await look(tokens.gm!), player: await look(seat.token), spectator: await look(tokens.spectator!) }
}
