/** Emoji in the order of the list, those that people react with most first, and the words that each is found by: what it is called first. */
export const names = `
👍 thumbs up yes good agree
👎 thumbs down no bad
❤️ red heart love
😂 laughing tears joy
🎉 party celebrate hooray
🙏 thanks please folded hands
👀 eyes looking
✅ done check mark yes
🔥 fire hot great
🚀 rocket launch ship
👏 clapping applause bravo
💯 hundred points perfect
😀 grinning happy
😃 smiling happy open
😄 smiling eyes happy
😁 beaming
😅 sweat relief phew
🤣 rolling laughing floor
🙂 slightly smiling
🙃 upside down
😉 winking
😊 blushing pleased
😇 angel halo
🥰 hearts in love
😍 heart eyes love
😘 kiss
😋 yummy tasty
😜 tongue wink joking
🤪 crazy zany
🤗 hugging
🤔 thinking hmm
🤨 raised eyebrow doubt
😐 neutral
😶 speechless no mouth
🙄 rolling eyes
😏 smirking
😮 surprised oh
😯 hushed
😲 astonished
😳 flushed embarrassed
🥺 pleading
😢 crying sad
😭 sobbing sad
😱 screaming fear
😤 steam angry
😠 angry
🤯 mind blown exploding head
😴 sleeping tired
🥱 yawning tired
🤒 ill thermometer
🤧 sneezing cold
😷 mask ill
🤓 nerd glasses
😎 cool sunglasses
🥳 partying birthday
🤩 star struck
😬 grimacing awkward
🫠 melting
🫡 saluting yes
🤝 handshake deal
🙌 raised hands hooray
👋 waving hello goodbye
🤞 crossed fingers luck
✌️ victory peace
👌 ok fine
🤙 call me
💪 strong muscle
👆 pointing up above
👇 pointing down below
👉 pointing right
☝️ one finger up
✋ raised hand stop
🤷 shrug no idea
🤦 facepalm
🙋 raising hand me
🙇 bowing sorry
🧡 orange heart
💛 yellow heart
💚 green heart
💙 blue heart
💜 purple heart
🖤 black heart
💔 broken heart
⭐ star favourite
🌟 glowing star
✨ sparkles new magic
💥 boom collision
💡 idea light bulb
⚡ lightning fast power
❗ exclamation important
❓ question
⚠️ warning careful
⛔ no entry stop
❌ cross no wrong
☑️ ballot check
➕ plus add
🆗 ok button
🆕 new button
🔴 red circle
🟢 green circle
🟡 yellow circle
🔵 blue circle
🏁 finish flag
🚩 flag problem
🎯 target bullseye
🏆 trophy winner
🥇 gold medal first
🎁 gift present
🎂 birthday cake
🎈 balloon
🍾 bottle champagne
🥂 cheers glasses
🍺 beer
🍻 beers cheers
🍷 wine
☕ coffee tea break
🫖 teapot tea
🍕 pizza lunch
🍔 burger lunch
🥗 salad lunch
🍰 cake
🍪 cookie
🍎 apple
🍌 banana
🍀 clover luck
🌈 rainbow
☀️ sun weather
🌧️ rain weather
❄️ snow cold
🌊 wave sea
🌍 earth world
🌱 seedling growing
🌹 rose flower
🐛 bug defect
🐞 ladybug bug
🐶 dog
🐱 cat
🦄 unicorn
🐢 turtle slow
🐌 snail slow
🐘 elephant
🦆 duck
🦉 owl
🐝 bee busy
💻 laptop computer
🖥️ desktop computer screen
📱 phone
🎧 headphones
🎤 microphone
📷 camera
🔋 battery full
🪫 battery low tired
🔌 plug power
🔧 wrench fix
🔨 hammer build
🛠️ tools fix
⚙️ gear settings
🧪 test tube experiment
🔍 search magnifier
🔒 lock closed
🔓 unlocked open
🔑 key
📌 pin
📎 paperclip attachment
📝 memo note writing
📄 document page
📁 folder
📦 package release
📈 chart rising
📉 chart falling
📊 bar chart
📅 calendar date
⏰ alarm clock
⏳ hourglass waiting
🕐 clock one time
📣 megaphone announce
🔔 bell notify
🔕 bell muted
💬 speech balloon chat
💭 thought balloon
🏠 house home
🏢 office building
🚗 car
🚲 bicycle
🚆 train
✈️ airplane travel
🏖️ beach holiday
⛰️ mountain
⚽ football
🎸 guitar music
🎵 music note
🎬 film clapper
🎮 game
🧩 puzzle piece
🧠 brain
🤖 robot bot
👻 ghost
💩 poo
💀 skull dead
👑 crown
🦸 superhero
🧙 wizard mage
🧑‍💻 technologist developer
🏳️‍🌈 rainbow flag pride
🇩🇪 germany flag
🇦🇹 austria flag
🇨🇭 switzerland flag
🇬🇧 united kingdom flag
🇺🇸 united states flag
🇪🇺 european union flag`
