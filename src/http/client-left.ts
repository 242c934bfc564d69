// The client closed the connection: nobody is there to be answered, and whatever was done for it stops.

export class ClientLeft extends Error {
  constructor() {
    super('the client closed the connection')
    this.name = 'ClientLeft'
  }
}
