import { readFileSync } from 'node:fs'
import { prepareOffice } from './office.ts'
const cpu=(pid:number)=>{const f=readFileSync(`/proc/${pid}/stat`,'utf8').split(') ')[1]!.split(' ');return {user:Number(f[11])*10,sys:Number(f[12])*10}}
const rss=(pid:number)=>Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`,'utf8'))![1])/1024
const o=await prepareOffice()
const secs=Number(process.argv[2]??30)
for (const env of ['development','development','production'] as const){
  const r=await o.start(env); const c0=cpu(r.pid)
  console.log(env,'ready',Math.round(r.readyAfterMs),'cpu',c0, 'rss',Math.round(rss(r.pid)))
  if(env==='production'||process.argv[3]){ await new Promise(x=>setTimeout(x,15000)); const a=cpu(r.pid); await new Promise(x=>setTimeout(x,secs*1000)); const b=cpu(r.pid)
   console.log('idle cpu %',((b.user+b.sys-a.user-a.sys)/secs/10).toFixed(2),'rss',Math.round(rss(r.pid))) }
  await r.stop()
}
await o.remove()
